/** Whether totals combine as the front matter of a report declares. */
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import type { Period, RawField } from '../../src/model/terms.ts'
import { scaled, sum } from './oracles/arithmetic.ts'
import { addDays } from './oracles/calendar.ts'
import type { FieldRow, ReportAnswer } from './run.ts'

/** Cuts a period at months' first days, and at `today` if it is inside. @param most the maximum number of parts */
export function partsOf({ start, end }: Period, today: string, most: number): readonly Period[] {
  const cuts: string[] = []
  let month = start
  while (month < end) {
    month = `${addDays(`${month.slice(0, 8)}01`, 31).slice(0, 8)}01`
    if (month < end) cuts.push(month)
  }
  if (cuts.length === 0 && addDays(start, 1) < end) cuts.push(addDays(start, 1))
  const step = Math.ceil((cuts.length + 1) / (most - 1))
  const some = cuts.filter((_, at) => (at + 1) % step === 0)
  if (today > start && today < end) some.push(today)
  const bounds = [start, ...new Set(some.toSorted()), end]
  return bounds.slice(1).map((bound, at) => ({ start: bounds[at]!, end: bound }))
}

/** In thousandths, so that quantities are exact; null is 0. */
function exact(value: RawField | undefined): bigint {
  return value === null || value === undefined ? 0n : scaled(value, 3)
}

function added(rows: readonly FieldRow[], key: string): bigint {
  return sum(rows.map(row => exact(row[key])))
}

/** Declarations that are false for these answers. @param parts totals of consecutive parts of the period */
export function falseDeclarations(
  { source, columns }: Pick<ReportDefinition, 'source' | 'columns'>,
  { rows, totals }: ReportAnswer,
  parts: readonly FieldRow[],
): readonly string[] {
  return columns.flatMap(({ key }) => {
    const declared = source.matter.columns[key]?.aggregation
    if (declared === undefined) return []
    if (totals[key] === null) return [`${key}: no total to combine`]
    const total = exact(totals[key])
    const ofParts = {
      sum: added(parts, key),
      first: exact(parts[0]?.[key]),
      last: exact(parts.at(-1)?.[key]),
      none: total,
    }[declared.periods ?? 'none']
    const ofRows = declared.rows === 'sum' ? added(rows, key) : total
    const found = (what: string, value: bigint) =>
      value === total ? [] : [`${key}: ${what} gives ${value}, the total is ${total}`]
    return [
      ...found('the sum of rows', ofRows),
      ...found(`${declared.periods} of ${parts.length} periods`, ofParts),
    ]
  })
}
