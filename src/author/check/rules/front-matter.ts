/** Rules on front matter: declarations are used and do not contradict each other. */
import { basename } from 'node:path'
import { durationMs } from '../../../model/quantity.ts'
import { isReservedColumn } from '../../../definitions/reserved-words.ts'
import { DEFAULTS } from '../../../definitions/schemas.ts'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { compileSummary } from '../../../definitions/summary.ts'
import { summaryTypes } from '../../../definitions/totals.ts'
import { numberOf } from '../../sql/expressions.ts'
import type { Draft } from './draft.ts'
import { columnNames, type TextRule } from './text-rule.ts'

/** Hidden columns and facts are for the summary and totals; hidden columns also for the order. */
export const unusedFields: TextRule = ({ report, returnsTotals, totals, query, lineOf }) => {
  if (report === undefined) return []
  const types = summaryTypes(report, true)
  const texts = [report.summary, report.emptySummary ?? DEFAULTS.emptySummary]
  const compiled = texts.map(text => compileSummary(text, types))
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

/** why: a loader identifies rows by their key */
export const rowKey: TextRule = ({ report, lineOf }) => {
  if (report === undefined || report.key !== undefined) return []
  const message = 'no key "key", expected the columns that identify a row, such as [category]'
  return [{ line: lineOf([]), message }]
}

export const reservedColumns: TextRule = ({ file, report, lineOf }) =>
  Object.entries(report?.columns ?? {}).flatMap(([name, { hidden }]) => {
    if (hidden === true || !isReservedColumn(basename(file, '.sql'), name)) return []
    const message = `columns.${name}: "${name}" is a reserved word of SQL, which loaders must quote; expected another name`
    return [{ line: lineOf(['columns', name]), message }]
  })

/** Equal titles: a reader cannot tell the columns or reports apart. */
export const titles: TextRule = (draft, all) => {
  const before = all.slice(0, all.indexOf(draft)).flatMap(titlesOf)
  return titlesOf(draft).flatMap(({ among, path, title }, at, own) => {
    const other = [...before, ...own.slice(0, at)].find(
      one => one.among === among && one.title === title,
    )
    if (other === undefined) return []
    const message = `${path.slice(0, 2).join('.')}: «${title}» is the title of ${other.owner} too, expected one of its own`
    return [{ line: draft.lineOf(path), message }]
  })
}

/** @returns titles with the scope in which they must differ: a report's columns, all reports, all metrics */
function titlesOf({ file, report, metrics }: Draft) {
  const columns = Object.entries(report?.columns ?? {}).filter(([, { hidden }]) => hidden !== true)
  return [
    ...columns.map(([name, { title }]) => {
      const path = ['columns', name, 'title']
      return { among: file, path, owner: name, title }
    }),
    ...(report ? [{ among: 'reports', path: ['title'], owner: file, title: report.title }] : []),
    ...Object.entries(metrics?.metrics ?? {}).map(([name, { title }]) => {
      const path = ['metrics', name, 'title']
      return { among: 'metrics', path, owner: file, title }
    }),
  ]
}

/** `stale` bounds the age of responses when the replica is unavailable: not less than `fresh`. */
export const staleAfterFresh: TextRule = ({ report, metrics, lineOf }) => {
  const matter = report ?? metrics
  if (matter?.stale === undefined) return []
  const { open, closed } = { ...DEFAULTS.fresh, ...matter.fresh }
  const shorter = durationMs(open) <= durationMs(closed) ? open : closed
  if (durationMs(matter.stale) >= durationMs(shorter)) return []
  const message = `stale: found ${matter.stale}, expected at least ${shorter}, for which a response is fresh`
  return [{ line: lineOf(['stale']), message }]
}
