/** Rules on totals: ratios are computed from sums, and a sum over no rows is 0. */
import type { FuncCall, Node } from 'libpg-query'
import { as, namesOf } from '../../../definitions/sql/syntax-tree.ts'
import { expressionsBehind, makerOf, makersBehind, sourceOf } from '../../sql/columns.ts'
import {
  callOf,
  callsIn,
  columnOf,
  contributing,
  multiplies,
  operatorOf,
} from '../../sql/expressions.ts'
import type { Select } from '../../sql/query.ts'
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
    const known = new Set<Node>()
    const kinds = expressionsBehind(argument, select).map(origin => kindOf(origin, known))
    const kind = kinds.find(one => one !== undefined)
    return (
      kind &&
      `${name}(${column}) is a ${name === 'sum' ? 'sum' : 'mean'} of ${kind}, which do not add up, expected it from the rows' own sums, or none`
    )
  },
)

function kindOf([expression, select]: [Node, Select], known: Set<Node>): string | undefined {
  if (known.has(expression)) return undefined
  known.add(expression)
  // why: an average times its count is a sum
  if (multiplies(expression)) return undefined
  for (const node of contributing(expression, 'FuncCall')) {
    const name = namesOf(node.funcname).at(-1) ?? ''
    if (AVERAGES.has(name)) return 'averages'
    if (RANKS.has(name)) return 'ranks'
    if (name === 'sum' && node.over && isOrdered(node.over, select)) return 'running totals'
  }
  if (callsIn(expression, ['count']).length > 0) return undefined
  const inner = contributing(expression, 'ColumnRef').flatMap(ColumnRef =>
    makersBehind({ ColumnRef }, select),
  )
  return inner
    .map(made => kindOf([made.item.expression, made.select], known))
    .find(kind => kind !== undefined)
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
    const found = expression && bareSum(expression, select, new Set())
    if (found === undefined) return []
    const sum = statement.written({ FuncCall: { ...found, agg_filter: undefined } })
    const message = `${sum} over no rows is null, expected coalesce(${sum}, 0)`
    return [{ line: statement.line(found.location), message }]
  })
}

/** The sum that can make the expression null, also through CTEs; undefined if null is replaced, as by `coalesce`. */
function bareSum(expression: Node, select: Select, known: Set<Node>): FuncCall | undefined {
  if (select.node.groupClause !== undefined || known.has(expression)) return undefined
  known.add(expression)
  const isGuarded = ['CoalesceExpr', 'MinMaxExpr', 'CaseExpr'].some(kind => kind in expression)
  if (isGuarded || operatorOf(expression) === '/') return undefined
  const call = as(expression, 'FuncCall')
  if (call !== undefined && callOf(expression, ['sum']) !== undefined) {
    return call.over === undefined ? call : undefined
  }
  if (sourceOf(expression, select)?.relation.join === 'left') return undefined
  const scalar = makerOf(expression, select)
  const made = [...makersBehind(expression, select), ...(scalar === undefined ? [] : [scalar])]
  const { lexpr, rexpr } = as(expression, 'A_Expr') ?? {}
  const parts = [as(expression, 'TypeCast')?.arg, lexpr, rexpr, ...(call?.args ?? [])]
  return [
    ...made.map(one => bareSum(one.item.expression, one.select, known)),
    ...parts.map(part => part && bareSum(part, select, known)),
  ].find(found => found !== undefined)
}
