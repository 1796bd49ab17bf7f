/** Compares selected and declared columns by the text, for definitions that are not checked on a database. */
import type { Finding } from '../../../definitions/findings.ts'
import { suggest } from '../../../model/spelling.ts'
import { TOTALS_COLUMNS } from '../../../definitions/totals.ts'
import { columnOf } from '../../sql/expressions.ts'
import type { Draft } from './draft.ts'
import { calls, onEach, type TextRule } from './text-rule.ts'

/** Columns that are declared but not selected, or selected but not declared. */
export const selectedColumns: TextRule = draft => {
  const items = draft.query.selects[0]?.items ?? []
  const selected = items.flatMap(({ name }) => name ?? [])
  const declared = declaredBy(draft)
  // why: only the database knows the columns of a star
  if (declared.length === 0 || selected.length < items.length) return []
  const known = new Set<string>([...declared.map(({ name }) => name), ...TOTALS_COLUMNS])
  const unknown = selected.filter(name => !known.has(name))
  const findings: Finding[] = []
  for (const { name, path } of declared) {
    if (selected.includes(name)) continue
    const message = `${path.join('.')}: the statement selects no "${name}", ${suggest(name, unknown.length > 0 ? unknown : selected)}`
    findings.push({ line: draft.lineOf(path), message })
  }
  for (const [index, { name = '', offset }] of items.entries()) {
    const line = draft.statement.line(offset)
    if (selected.indexOf(name) < index) {
      findings.push({ line, message: `"${name}" is selected twice, expected each column once` })
    } else if (!known.has(name)) {
      const message = `"${name}" is selected and not declared, expected it among the columns, or hidden`
      findings.push({ line, message })
    }
  }
  return findings
}

/** If the gateway computes the totals, a fact is a total, not a column. */
function declaredBy({ report, metrics, returnsTotals }: Draft) {
  const facts = Object.entries(report?.facts ?? {})
  const selected = facts.filter(([, { total }]) => returnsTotals && total === undefined)
  return Object.entries({
    columns: report?.columns ?? {},
    facts: Object.fromEntries(selected),
    metrics: metrics?.metrics ?? {},
  }).flatMap(([group, keys]) =>
    // why: PostgreSQL truncates longer names
    Object.keys(keys).map(key => ({ name: key.slice(0, 63), path: [group, key] })),
  )
}

/** Totals that aggregate a column that does not exist. */
export const totalsOfColumns = onEach(
  calls('sum', 'avg', 'min', 'max', 'count'),
  ({ name, args }, { draft, part, select: { relations } }) => {
    const column = columnOf(args[0])
    const columns = Object.keys(draft.report?.columns ?? {})
    const isOfReport = relations.every(one => one.query === draft.query)
    const isKnown = column?.qualifier !== undefined || columns.includes(column?.name ?? '')
    if (part === draft.statement || !isOfReport || column === undefined || isKnown) return undefined
    return `${name}(${column.name}) is of no column, ${suggest(column.name, columns)}`
  },
)
