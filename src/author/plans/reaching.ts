/** The joins whose rows reach a sum as they are: not grouped in between, though a filter may have left some out. */
import { columnsIn } from './expressions.ts'
import type { ColumnReference } from './expressions.ts'
import { below, inputs, isJoin } from './plan.ts'
import type { PlanNode } from './plan.ts'

/** What is summed, as the nodes below that one name it. */
export interface Summed {
  readonly node: PlanNode
  readonly columns: readonly ColumnReference[]
  readonly groupKeys: readonly string[]
}

export interface ReachingJoin {
  readonly join: PlanNode
  /** Of its rows those at most that come as far as the sum. */
  readonly reachingRows: number
  readonly summed: Summed
}

const REGROUPS: ReadonlySet<string> = new Set(['Aggregate', 'Group', 'Unique', 'SetOp', 'Limit'])

/** Each before those below it, those inside of a CTE that it reads last. */
export function joinsReaching(
  summed: Summed,
  nodes: readonly PlanNode[],
  rows = Infinity,
): ReachingJoin[] {
  const found = inputs(summed.node).flatMap(input => joinsFrom(input, summed, rows))
  return [...found, ...joinsInCte(summed, nodes, rows)]
}

function joinsFrom(at: PlanNode, summed: Summed, rows: number): ReachingJoin[] {
  if (REGROUPS.has(at.type)) return []
  const reachingRows = Math.min(rows, at.rows)
  const deeper = inputs(at).flatMap(input => joinsFrom(input, summed, reachingRows))
  return isJoin(at) ? [{ join: at, reachingRows, summed }, ...deeper] : deeper
}

/** Where all that is summed comes out of one CTE, the joins that made its rows. */
function joinsInCte(summed: Summed, nodes: readonly PlanNode[], rows: number): ReachingJoin[] {
  const [alias, ...others] = new Set(summed.columns.map(column => column.alias))
  const scan = below(summed.node, passing).find(
    node => node.cte !== undefined && node.alias === alias,
  )
  const root = nodes.find(({ subplan }) => subplan === `CTE ${scan?.cte}`)
  if (others.length > 0 || scan === undefined || root === undefined) return []
  if (REGROUPS.has(root.type)) return []
  const expressions = summed.columns.map(({ column }) => columnOf(scan, root, column))
  if (expressions.includes(undefined)) return []
  const made = {
    node: root,
    columns: expressions.flatMap(expression => columnsIn(expression ?? '')),
    groupKeys: summed.groupKeys.flatMap(key =>
      columnsIn(key).flatMap(({ column }) => columnOf(scan, root, column) ?? []),
    ),
  }
  const reachingRows = Math.min(rows, scan.rows)
  const own = isJoin(root) ? [{ join: root, reachingRows, summed: made }] : []
  return [...own, ...joinsReaching(made, nodes, reachingRows)]
}

function passing(node: PlanNode): readonly PlanNode[] {
  return inputs(node).filter(({ type }) => !REGROUPS.has(type))
}

/** What stands behind a column of a CTE: at its place where the scan has them all, else of its name. */
function columnOf(scan: PlanNode, root: PlanNode, column: string): string | undefined {
  const names = scan.output.map(text => columnsIn(text).at(0)?.column)
  if (names.length === root.output.length) return root.output[names.indexOf(column)]
  return root.output.find(text =>
    columnsIn(text).some(found => text.endsWith(`.${found.column}`) && found.column === column),
  )
}
