// Reads the gateway's metrics. Pure.

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export function readExposition(text: string): Sample[] {
  return text.split('\n').flatMap(line => {
    const [, name, labels = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined) return []
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, word]) => [key, word])
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
}

/** Sum of all series of that name with those labels; 0 without series. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter(sample => sample.name === name)
    .filter(sample => Object.entries(labels).every(([key, word]) => sample.labels[key] === word))
    .reduce((sum, { value }) => sum + value, 0)
}

/** A gauge of one replica, with or without a label. NaN without series. */
export function ofReplica(samples: readonly Sample[], name: string, replica: string): number {
  const all = samples.filter(sample => sample.name === name)
  const own = all.find(({ labels }) => labels['replica'] === replica)
  const only = all.find(({ labels }) => labels['replica'] === undefined)
  return (own ?? only)?.value ?? Number.NaN
}
