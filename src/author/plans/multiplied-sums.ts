/**
 * Sums, averages and counts of rows that a join has multiplied: each row counts as often as the join repeats it.
 * Read from what a run really did, so a plan that was not run has none.
 */
import { aliasesIn, callsIn, columnsIn } from './expressions.ts'
import type { Call, ColumnReference } from './expressions.ts'
import { below, inputs } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'
import { joinsReaching } from './reaching.ts'
import type { ReachingJoin, Summed } from './reaching.ts'
import { rowsOfAlias, sidesOf } from './sides.ts'
import type { Side } from './sides.ts'

export interface MultipliedSum {
  /** The Aggregate or WindowAgg. */
  readonly node: PlanNode
  /** `sum(sales.amount_kopecks) FILTER (WHERE ...)`, as EXPLAIN prints it. */
  readonly call: string
  /** `sum`, `avg` or `count`. */
  readonly name: string
  /** As the call names them. */
  readonly columns: readonly ColumnReference[]
  readonly join: PlanNode
  /** What the join multiplies by. */
  readonly by: PlanNode
  /** Of the side that is summed, before the join. */
  readonly ownRows: number
  /** Of them after the join, as far as they are summed. */
  readonly joinedRows: number
}

const SUMS = ['sum', 'avg', 'count']

/**
 * One for each call, of the lowest join that multiplies what it sums. Where there is a group for each row of what the
 * join multiplies by, nothing counts twice: sums for each month of all that came before it are none of these.
 */
export function multipliedSums({ nodes }: Pick<Plan, 'nodes'>): MultipliedSum[] {
  return nodes
    .filter(({ type }) => type === 'Aggregate' || type === 'WindowAgg')
    .flatMap(node => {
      const calls = node.output.flatMap(text => callsIn(text, SUMS)).filter(isOfRows)
      const once = new Map(calls.map(call => [call.text, call]))
      return [...once.values()].flatMap(({ name, text }) => {
        const columns = columnsIn(text)
        const summed = { node, columns, groupKeys: node.groupKeys }
        const joins = columns.length === 0 ? [] : joinsReaching(summed, nodes)
        const found = joins.flatMap(join => multiplication(node, join) ?? []).at(-1)
        return found === undefined ? [] : [{ node, call: text, name, columns, ...found }]
      })
    })
}

/** A `count(*)` counts what was joined and says so; what a Finalize adds up was looked at where it was made. */
function isOfRows({ distinct, text }: Call): boolean {
  return !distinct && !text.startsWith('count(*)') && !text.includes('(PARTIAL ')
}

function multiplication(
  node: PlanNode,
  { join, reachingRows, summed }: ReachingJoin,
): Pick<MultipliedSum, 'join' | 'by' | 'ownRows' | 'joinedRows'> | undefined {
  const sides = sidesOf(join)
  if (sides === undefined || summed.columns.length === 0) return undefined
  const at = sides.findIndex(({ aliases }) =>
    summed.columns.every(({ alias }) => aliases.has(alias)),
  )
  const [side, other] = at === 0 ? sides : [sides[1], sides[0]]
  if (at < 0 || side.ownRows === undefined || side.ownRows === 0) return undefined
  // Rows without this side may be as many as the other has.
  const without = side.nullable ? (other.ownRows ?? other.root.rows) : 0
  // Averages over loops are rounded.
  const slack = join.loops > 1 ? join.rows / 100 : 0
  if (reachingRows - without - slack <= side.ownRows) return undefined
  if (groupsByRowsOf(other, node, summed)) return undefined
  return {
    join,
    by: other.root,
    ownRows: Math.round(side.ownRows),
    joinedRows: reachingRows - without,
  }
}

/** Whether there are about as many groups as the sources that they go by have rows, and these make up the side. */
function groupsByRowsOf(
  { root, aliases, ownRows }: Side,
  node: PlanNode,
  { groupKeys }: Summed,
): boolean {
  const sideRows = ownRows ?? root.rows
  const named = [...aliasesIn(groupKeys)].filter(alias => aliases.has(alias))
  const rows = named.map(alias => rowsOfAlias(root, alias))
  // What a union or a list of values made has no name: a key of it names no column.
  const nameless = groupKeys.some(key => columnsIn(key).length === 0)
  if (nameless && below(root, inputs).some(({ type }) => MADE.has(type))) rows.push(sideRows)
  if (rows.length === 0) return false
  const all = rows.reduce((product, number) => product * number, 1)
  return sideRows <= all && (node.type === 'WindowAgg' || node.rows * 2 >= all)
}

const MADE: ReadonlySet<string> = new Set(['Append', 'Merge Append', 'ProjectSet', 'Result'])
