import type { Finding } from '../../../definitions/findings.ts'
import { suggest } from '../../../model/spelling.ts'
import { TOTALS_COLUMNS } from '../../../definitions/totals.ts'
import type { Draft } from './draft.ts'
import type { Rule } from './rule.ts'
import type { TextRule } from './text-rule.ts'

const find: TextRule = draft => {
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

export const selectedColumns: Rule = {
  id: 'selected-columns',
  level: 'error',
  sentence:
    'Without a database: a column is declared and not selected, or selected and not declared.',
  bad: 'select sales.shop, sales.amount, sales.pieces from sales where day < :period_end',
  good: 'select sales.shop, sales.amount, sales.share, sales.pieces, sales.price from sales where day < :period_end',
  isForTextAlone: true,
  find,
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
