import { as } from '../../../definitions/sql/syntax-tree.ts'
import { compileSummary } from '../../../definitions/summary.ts'
import { summaryTypes } from '../../../definitions/totals.ts'
import { numberOf } from '../../sql/expressions.ts'
import { columnNames, type TextRule } from './text-rule.ts'
import type { Rule } from './rule.ts'

const find: TextRule = ({ report, returnsTotals, totals, query, lineOf, product }) => {
  if (report === undefined) return []
  const types = summaryTypes(report, true)
  const { summary, emptySummary = summary } = report
  const compiled = [summary, emptySummary].map(text =>
    compileSummary(text, types, product.language),
  )
  // why: a misspelt name in the summary may mean any of them
  if (compiled.some(({ findings }) => findings.length > 0)) return []
  const namesInSummary = new Set(compiled.flatMap(({ names }) => Array.from(names)))
  // why: loading reports a summary without figures; unused fields follow from that
  if (![...namesInSummary].some(name => types.has(name) || name === 'row_count')) return []
  const order = (query.node.sortClause ?? []).flatMap(node => as(node, 'SortBy')?.node ?? [])
  const isReadElsewhere = (name: string) =>
    order.some(node => numberOf(node) !== undefined) ||
    columnNames(order).includes(name) ||
    totals.some(total => total.name !== name && columnNames(total.root).includes(name))
  const hidden = Object.entries(report.columns).flatMap(([name, column]) =>
    column.hidden === true && !isReadElsewhere(name) ? [['columns', name] as const] : [],
  )
  const facts = Object.keys(report.facts ?? {}).map(name => ['facts', name] as const)
  return [...hidden, ...facts].flatMap(path => {
    if (namesInSummary.has(path[1])) return []
    const isFact = path[0] === 'facts'
    const others = isFact ? '' : returnsTotals ? ' or order by' : ', a total or order by'
    const message = `${path.join('.')}: nothing reads it, expected the summary${others} to name it`
    return [{ line: lineOf(path), message }]
  })
}

export const unreadField: Rule = {
  id: 'unread-field',
  level: 'note',
  sentence: 'Nothing reads a fact or a hidden column.',
  bad: 'pieces: { title: Pieces, type: integer, hidden: true }',
  good: 'pieces: { title: Pieces, type: integer, total: none }',
  find,
}
