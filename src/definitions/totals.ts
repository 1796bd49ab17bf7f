/**
 * A report's totals come from the statement's own snapshot, over all rows, in one of two ways: the
 * gateway puts aggregates around the statement, or the statement marks its own totals row `is_total`.
 */
import type { ColumnType } from '../model/terms.ts'
import { lex, significant, type Token } from './lexer.ts'
import type { ReportMatter } from './schemas.ts'

/** Names that the gateway adds to a report's columns, or that the statement adds itself. */
export const TOTALS_COLUMNS = ['is_total', 'row_count'] as const

/** What front matter says for "this column has no total". */
export const NO_TOTAL = 'none'

/** Whether the statement delivers its totals row itself. */
export function bringsTotals(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ kind, text }) =>
      (kind === 'word' && text.toLowerCase() === 'is_total') ||
      (kind === 'quoted' && text === '"is_total"'),
  )
}

/**
 * The statement with its totals row in front. The CTE is materialized, so that the report runs once
 * and keeps its order; its name hides nothing from the statement inside.
 * @param sql one select without a semicolon
 */
export function withTotals(sql: string, matter: Pick<ReportMatter, 'columns' | 'facts'>): string {
  const totals = ['true as is_total', 'count(*) as row_count']
  const rows = ['false', 'null']
  const add = (name: string, total: string | undefined, field: string) => {
    totals.push(`${aggregate(total)} as "${name}"`)
    rows.push(field)
  }
  for (const [key, { total, hidden }] of Object.entries(matter.columns)) {
    if (hidden !== true) add(key, total, `"${key}"`)
    else if (hasTotal(total)) add(key, total, 'null')
  }
  for (const [name, { total }] of Object.entries(matter.facts ?? {})) add(name, total, 'null')
  return `with report as materialized (
${sql}
)
select
    ${totals.join(',\n    ')}
from report
union all
select
    ${rows.join(',\n    ')}
from report`
}

/** What the totals row holds: of hidden columns those alone that have a total, or that are selected. */
export function summaryTypes(matter: ReportMatter, ownTotals: boolean): Map<string, ColumnType> {
  const columns = Object.entries(matter.columns).filter(
    ([, { hidden, total }]) => hidden !== true || ownTotals || hasTotal(total),
  )
  return new Map(
    [...columns, ...Object.entries(matter.facts ?? {})].map(([name, { type }]) => [name, type]),
  )
}

export function hasTotal(total: string | undefined): total is string {
  return total !== undefined && total !== NO_TOTAL
}

/** A plain sum over no rows is 0; what else an aggregate gives there is its author's business. */
function aggregate(total: string | undefined): string {
  if (!hasTotal(total)) return 'null'
  const [call, opening, column, closing, ...rest] = significant(lex(total))
  const plain =
    call?.text.toLowerCase() === 'sum' &&
    opening?.text === '(' &&
    (column?.kind === 'word' || column?.kind === 'quoted') &&
    closing?.text === ')' &&
    rest.length === 0
  return plain ? `coalesce(${total}, 0)` : total
}
