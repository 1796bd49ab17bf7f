/** For oracles of reports with one line per source, manager and the like: grouping, names and order. */
import { field, maybe, type Answer, type AnswerRow, type RawRow } from './oracle.ts'
import { ranked } from './order.ts'

export interface GroupedLine<Figures> {
  /** Null for facts without one. */
  readonly id: string | null
  readonly name: string
  readonly figures: Figures
}

/** The id in a report's key: '0' for facts without one. */
export function idText(id: string | null): string {
  return id ?? '0'
}

/** One row for each value of `column` among the facts, except rows whose counts and amounts are all 0. */
export function grouped<Figures extends AnswerRow>(options: {
  readonly facts: readonly RawRow[]
  readonly column: string
  /** The name for an id. */
  readonly nameOf: (id: string | null) => string
  /** The column of the name. */
  readonly label: string
  readonly figuresOf: (facts: readonly RawRow[]) => Figures
  /** The first sort key, descending. */
  readonly measure: (figures: Figures) => bigint
  /** Values of the summary other than columns, from the sorted lines. */
  readonly summaryValues?: (lines: readonly GroupedLine<Figures>[]) => AnswerRow
}): Answer {
  const { facts, column, nameOf, label, figuresOf, measure, summaryValues } = options
  const ids = [...new Set(facts.map(fact => maybe(fact, column)))]
  const lines = ids
    .map(id => ({
      id,
      name: nameOf(id),
      figures: figuresOf(facts.filter(fact => maybe(fact, column) === id)),
    }))
    .filter(({ figures }) =>
      Object.values(figures).some(value => typeof value === 'bigint' && value !== 0n),
    )
    .toSorted(
      ranked(
        line => measure(line.figures),
        line => line.name,
        line => line.id,
      ),
    )
  return {
    rows: lines.map(({ id, name, figures }) =>
      Object.assign({ [label]: name, [column]: idText(id) }, figures),
    ),
    totals: figuresOf(facts),
    facts: summaryValues?.(lines) ?? {},
  }
}

/** Looks up a name; `none` for null. */
export function nameIn<None extends string | null>(
  rows: ReadonlyMap<string, RawRow>,
  column: string,
  none: None,
): (id: string | null) => string | None {
  return id => {
    const row = rows.get(id ?? '')
    return row === undefined ? none : field(row, column)
  }
}

/** Looks up the INN of a counterparty; null for none. */
export function innIn(
  counterparties: ReadonlyMap<string, RawRow>,
): (id: string | null) => string | null {
  return id => {
    const row = counterparties.get(id ?? '')
    return row === undefined ? null : maybe(row, 'inn')
  }
}

/** Groups facts by a column, in linear time. */
export function split<Fact, Key>(
  facts: readonly Fact[],
  keyOf: (fact: Fact) => Key,
): ReadonlyMap<Key, readonly Fact[]> {
  const parts = new Map<Key, Fact[]>()
  for (const fact of facts) {
    const key = keyOf(fact)
    const part = parts.get(key)
    if (part === undefined) parts.set(key, [fact])
    else part.push(fact)
  }
  return parts
}
