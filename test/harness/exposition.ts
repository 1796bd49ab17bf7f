// Reads the gateway's metrics.

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

/** @throws Error if it takes longer than 5 s. */
export async function scrape(opsUrl: string): Promise<Sample[]> {
  const response = await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(5000) })
  return readExposition(await response.text())
}

/** The sum of the series of that name with those labels; NaN without series. */
export async function metricOf(
  { opsUrl }: { readonly opsUrl: string },
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const samples = seriesOf(await scrape(opsUrl), name, labels)
  return samples.length === 0 ? Number.NaN : sumOf(samples, name)
}

/** Sum of all series of that name with those labels; 0 without series. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return seriesOf(samples, name, labels).reduce((sum, { value }) => sum + value, 0)
}

function seriesOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>>,
): Sample[] {
  return samples
    .filter(sample => sample.name === name)
    .filter(sample => Object.entries(labels).every(([key, word]) => sample.labels[key] === word))
}

/** A gauge of one replica, with or without a label. NaN without series. */
export function ofReplica(samples: readonly Sample[], name: string, replica: string): number {
  const all = samples.filter(sample => sample.name === name)
  const own = all.find(({ labels }) => labels['replica'] === replica)
  const only = all.find(({ labels }) => labels['replica'] === undefined)
  return (own ?? only)?.value ?? Number.NaN
}
