/**
 * Plain values by label values, until the scrape.
 * why: prom-client builds a string of the labels at each count, see `decisions/0015-hits-count-in-plain-numbers.md`
 */

export type LabelValue = string | number
export type LabelSet = Record<string, LabelValue>

export interface Tally<Value> {
  value: Value | undefined
  readonly byValue: Map<LabelValue, Tally<Value>>
}

export function createTally<Value>(): Tally<Value> {
  return { value: undefined, byValue: new Map() }
}

/** @returns the tally of these label values */
export function tallyOf<Value>(tally: Tally<Value>, values: readonly LabelValue[]): Tally<Value> {
  let last = tally
  for (const value of values) {
    let next = last.byValue.get(value)
    if (next === undefined) last.byValue.set(value, (next = createTally()))
    last = next
  }
  return last
}

/** Calls back with each tally that has a value. */
export function eachTally<Value>(
  tally: Tally<Value>,
  [label = '', ...others]: readonly string[],
  take: (labels: LabelSet, tally: Tally<Value>) => void,
  labels: LabelSet = {},
): void {
  if (tally.value !== undefined) take(labels, tally)
  for (const [value, next] of tally.byValue) {
    eachTally(next, others, take, { ...labels, [label]: value })
  }
}
