/** What the oracles of "one line for each X" reports share: grouping, names and order. */
import { field, maybe } from './oracle.ts'
import type { Answer, AnswerRow, RawRow } from './oracle.ts'
import { ranked } from './order.ts'

export interface GroupedLine<Figures> {
  /** Null where the facts name none. */
  readonly id: string | null
  readonly name: string
  readonly figures: Figures
}

/** One row for each value of `column` among the facts, but those whose counts and amounts are all 0. */
export function grouped<Figures extends AnswerRow>(options: {
  readonly facts: readonly RawRow[]
  readonly column: string
  /** The name that the answer shows for an id. */
  readonly nameOf: (id: string | null) => string
  /** The answer's column for it. */
  readonly label: string
  readonly figuresOf: (facts: readonly RawRow[]) => Figures
  /** Comes first in the order, descending. */
  readonly measure: (figures: Figures) => bigint
  /** What the sentence says beside the columns, of the lines in their order. */
  readonly told?: (lines: readonly GroupedLine<Figures>[]) => AnswerRow
}): Answer {
  const { facts, column, nameOf, label, figuresOf, measure, told } = options
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
    rows: lines.map(({ name, figures }) => Object.assign({ [label]: name }, figures)),
    totals: figuresOf(facts),
    facts: told?.(lines) ?? {},
  }
}

/** Looks a name up, or says what stands for none. */
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

/** Facts by what they belong to: naive grouping that stays fast over every product and customer. */
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
