/** The series of one metric by their labels, in the order in which they came. Knows not what a series counts. */

export type Labels = Readonly<Record<string, string | number>>

export interface LabelSets<Series> {
  /** The series of these labels; a new one where there is none. @throws if a label is missing. */
  of(labels: Labels): Series
  all(): readonly Series[]
}

/** A metric without labels has its one series from the start. */
export function createLabelSets<Series>(
  labelNames: readonly string[],
  create: (labels: Labels) => Series,
): LabelSets<Series> {
  const seriesOf = new Map<string, Series>()
  const of = (labels: Labels): Series => {
    const key = labelNames.map(name => valueOf(labels, name)).join('\n')
    const known = seriesOf.get(key)
    if (known !== undefined) return known
    const entries = labelNames.map(name => [name, valueOf(labels, name)] as const)
    const made = create(Object.fromEntries(entries))
    seriesOf.set(key, made)
    return made
  }
  if (labelNames.length === 0) of({})
  return { of, all: () => [...seriesOf.values()] }
}

function valueOf(labels: Labels, name: string): string | number {
  const value = labels[name]
  if (value === undefined) throw new RangeError(`the label ${name} is missing`)
  return value
}

/** The series of each value of a closed set, to be had without making labels. @throws for any other value. */
export function closedSet<Value extends string, Series>(
  values: readonly Value[],
  of: (value: Value) => Series,
): (value: Value) => Series {
  const seriesOf = new Map<Value, Series>(values.map(value => [value, of(value)]))
  return value => {
    const series = seriesOf.get(value)
    if (series === undefined) throw new RangeError(`${value} is not one of ${values.join(', ')}`)
    return series
  }
}
