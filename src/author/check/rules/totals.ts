/** Rules on totals: ratios are computed from sums, and a sum over no rows is 0. */
import type { FuncCall, Node } from 'libpg-query'
import { as, namesOf } from '../../../definitions/sql/syntax-tree.ts'
import { reachableFrom, sourceOf, valuesBehind, type ScopedNode } from '../../sql/columns.ts'
import {
  callOf,
  callsIn,
  columnOf,
  contributing,
  multiplies,
  operatorOf,
} from '../../sql/expressions.ts'
import type { Select } from '../../sql/relations.ts'
import { isOrdered } from '../../sql/windows.ts'
import { calls, onEach, type TextRule } from './text-rule.ts'
import { namesOfType } from './values.ts'

/** `sum(share)`, `avg(margin)`: percentages cannot be added, or averaged without weights. */
export const percentTotals = onEach(
  ({ draft, part, select }) => {
    const percents = new Set<string | undefined>(namesOfType(draft, 'percent'))
    const items = select.items.filter(one => part !== draft.statement || percents.has(one.name))
    return callsIn(items, ['sum', 'avg']).filter(
      ({ args, node }) => percents.has(columnOf(args[0])?.name) && node.over === undefined,
    )
  },
  ({ name, args }) =>
    `${name}(${columnOf(args[0])?.name}) ${name === 'sum' ? 'adds up' : 'averages'} percentages, expected the ratio of sums`,
)

/** A count as the total of a column of money or quantities. */
export const countsAsTotals: TextRule = ({ totals }) =>
  totals.flatMap(({ root, name, type, line, isColumn }) => {
    const isOther = type === 'money' || type === 'number'
    const { agg_star: isCount, agg_filter: filter } = callOf(root, ['count'])?.node ?? {}
    if (!isOther || isCount !== true || filter !== undefined || !isColumn) return []
    const message = `count(*) is the number of rows under a column of type ${type}, expected sum(${name}), or none`
    return [{ line: line(root), message }]
  })

const AVERAGES = new Set(['avg', 'percentile_cont', 'percentile_disc', 'mode'])
const RANKS = new Set(['row_number', 'rank', 'dense_rank', 'ntile', 'percent_rank', 'cume_dist'])

/** Sums of averages, ranks and running totals are meaningless. */
export const sumsOfRatios = onEach(
  scope => (scope.part === scope.draft.statement ? [] : calls('sum', 'avg')(scope)),
  ({ name, args: [argument] }, { select }) => {
    const column = columnOf(argument)?.name
    if (column === undefined || argument === undefined) return undefined
    const [kind] = reachableFrom([argument, select], summands).flatMap(one => kindOf(...one) ?? [])
    return (
      kind &&
      `${name}(${column}) is a ${name === 'sum' ? 'sum' : 'mean'} of ${kind}, which do not add up, expected it from the rows' own sums, or none`
    )
  },
)

function kindOf(expression: Node, select: Select): string | undefined {
  // why: an average times its count is a sum
  if (multiplies(expression)) return undefined
  for (const node of contributing(expression, 'FuncCall')) {
    const name = namesOf(node.funcname).at(-1) ?? ''
    if (AVERAGES.has(name)) return 'averages'
    if (RANKS.has(name)) return 'ranks'
    if (name === 'sum' && node.over && isOrdered(node.over, select)) return 'running totals'
  }
  return undefined
}

/** The expressions behind the columns of an expression; empty for products and counts. */
function summands(expression: Node, select: Select): ScopedNode[] {
  if (multiplies(expression) || callsIn(expression, ['count']).length > 0) return []
  return contributing(expression, 'ColumnRef').flatMap(ColumnRef =>
    valuesBehind({ ColumnRef }, select),
  )
}

/** `sum(distinct amount)` hides duplicated rows, and drops equal amounts. */
export const distinctSums = onEach(calls('sum', 'avg'), ({ name, args, node }, { part }) => {
  const inner = part.written(args[0])
  return (
    node.agg_distinct === true &&
    `${name}(distinct ${inner}) drops amounts that are equal, expected ${name}(${inner}) over rows that no join multiplies`
  )
})

/** For an organization without rows a figure is 0, not null. */
export const sumsOfNothing: TextRule = draft => {
  const { statement, query } = draft
  const [select] = query.selects
  if (draft.metrics === undefined || select === undefined) return []
  const names = [...namesOfType(draft, 'money'), ...namesOfType(draft, 'integer')]
  return names.flatMap(name => {
    const expression = select.items.find(item => item.name === name)?.expression
    const found = expression && bareSum(expression, select)
    if (found === undefined) return []
    const sum = statement.written({ FuncCall: { ...found, agg_filter: undefined } })
    const message = `${sum} over no rows is null, expected coalesce(${sum}, 0)`
    return [{ line: statement.line(found.location), message }]
  })
}

/** The sum that can make the expression null, also through CTEs; undefined if null is replaced, as by `coalesce`. */
function bareSum(expression: Node, select: Select): FuncCall | undefined {
  const [sum] = reachableFrom([expression, select], nullableParts).flatMap(([node, within]) => {
    const call = callOf(node, ['sum'])?.node
    return call?.over === undefined && within.node.groupClause === undefined ? (call ?? []) : []
  })
  return sum
}

/** The expressions that make an expression null if they are. */
function nullableParts(node: Node, select: Select): ScopedNode[] {
  const isGuarded = ['CoalesceExpr', 'MinMaxExpr', 'CaseExpr'].some(kind => kind in node)
  const isOther = operatorOf(node) === '/' || callOf(node, ['sum']) !== undefined
  if (isGuarded || isOther || select.node.groupClause !== undefined) return []
  if (sourceOf(node, select)?.relation.join === 'left') return []
  const { lexpr, rexpr } = as(node, 'A_Expr') ?? {}
  const args = as(node, 'FuncCall')?.args ?? []
  const parts = [as(node, 'TypeCast')?.arg, lexpr, rexpr, ...args].flatMap(part => part ?? [])
  return [...valuesBehind(node, select), ...parts.map(part => [part, select] as const)]
}
