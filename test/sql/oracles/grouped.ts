/** For oracles of reports with one line per source, manager and the like: grouping, names and order. */
import { maybe, type Answer, type AnswerRow, type RawRow } from './oracle.ts'
import { sorted } from './order.ts'

/** The id in a report's key: '0' for facts without one. */
export function idText(id: string | null): string {
  return id ?? '0'
}

/** One row for each value of `column` among the facts, except rows whose counts and amounts are all 0. */
export function grouped<Figures extends AnswerRow>(options: {
  readonly facts: readonly RawRow[]
  readonly column: string
  /** The name for an id. */
  readonly nameOf: (id: string | null) => string | null
  /** The column of the name. */
  readonly label: string
  readonly figuresOf: (facts: readonly RawRow[]) => Figures
  /** The first sort key, descending. */
  readonly measure: keyof Figures & string
  /** Values of the summary other than columns, from the sorted lines; a line without an id has null. */
  readonly summaryValues?: (
    lines: readonly (Figures & { readonly id: string | null; readonly name: string | null })[],
  ) => AnswerRow
}): Answer {
  const { facts, column, nameOf, label, figuresOf, measure, summaryValues } = options
  const all = [...split(facts, fact => maybe(fact, column))].map(([id, own]) => {
    return { id, name: nameOf(id), ...figuresOf(own) }
  })
  const shown = all.filter(line =>
    Object.values(line).some(value => typeof value === 'bigint' && value !== 0n),
  )
  const lines = sorted<AnswerRow>(shown, `-${measure}`, 'name', '#id') as typeof shown
  return {
    rows: lines.map(line => ({ ...line, [label]: line.name, [column]: idText(line.id) })),
    totals: figuresOf(facts),
    facts: summaryValues?.(lines) ?? {},
  }
}

/** Looks up a column by id; `none` for null. */
export function nameIn(
  rows: readonly RawRow[],
  column: string,
  none: string | null = null,
): (id: string | null) => string | null {
  const values = new Map(rows.map(row => [row['id'], maybe(row, column)]))
  return id => (values.has(idText(id)) ? values.get(idText(id))! : none)
}

/** Groups facts by a column, in linear time. */
export function split<Fact, Key>(
  facts: readonly Fact[],
  keyOf: (fact: Fact) => Key,
): ReadonlyMap<Key, readonly Fact[]> {
  const parts = new Map<Key, Fact[]>()
  for (const fact of facts) {
    const key = keyOf(fact)
    const part = parts.get(key) ?? []
    parts.set(key, part)
    part.push(fact)
  }
  return parts
}
