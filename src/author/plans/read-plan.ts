/** Converts the output of `explain (format json)` to a plan. Knows no database. */
import type { Plan, PlanNode } from './plan.ts'

/** A node as EXPLAIN prints it: row counts and times are averages per loop, absent without execution. */
interface Explained {
  readonly Plans?: readonly Explained[]
  readonly [key: string]: unknown
}

const TABLE_SCAN = /^(?:Seq|Index|Index Only|Bitmap Heap|Tid|Tid Range|Sample|Foreign) Scan$/

export function readPlan(raw: unknown): Plan {
  const [output] = raw as readonly [Explained & { readonly Plan: Explained }]
  const { Plan: top } = output
  const nodes = nodesOf(top, 1)
  return {
    ms: numberOf(output, 'Execution Time'),
    buffers: buffersOf(top),
    spilledBlocks: numberOf(top, 'Temp Read Blocks') + numberOf(top, 'Temp Written Blocks'),
    baseRows: nodes
      .filter(({ type }) => TABLE_SCAN.test(type))
      .reduce((sum, { rows, removedRows }) => sum + rows + removedRows, 0),
    nodes,
    raw,
  }
}

/** The node, then those below it. @param processes that execute it in parallel */
function nodesOf(node: Explained, processes: number): PlanNode[] {
  const number = (key: string) => numberOf(node, key)
  const text = (key: string) => node[key] as string | undefined
  const [type = '', table, index] = [text('Node Type'), text('Relation Name'), text('Index Name')]
  const loops = number('Actual Loops')
  const times = (key: string) => Math.round(number(key) * loops)
  const plans = node.Plans ?? []
  const processesOf = (child: Explained) =>
    type.startsWith('Gather')
      ? Math.max(1, numberOf(child, 'Actual Loops') / (loops || 1))
      : processes
  /** The figures of a CTE or InitPlan are included in those of the nodes that read it, not in those of its parent. */
  const inside = plans.filter(child => child['Parent Relationship'] !== 'InitPlan')
  // why: the figures of the first scan of a CTE include those of the CTE, which has nodes of its own
  const own = (total: number, ofChild: (child: Explained) => number) =>
    type === 'CTE Scan'
      ? 0
      : Math.max(
          0,
          inside.reduce((rest, one) => rest - ofChild(one), total),
        )
  return [
    {
      type,
      schema: text('Schema'),
      table,
      index,
      name: [
        joinedBy(type, text('Join Type')),
        ...(text('Scan Direction') === 'Backward' ? ['Backward'] : []),
        ...(index === undefined ? [] : [type.startsWith('Bitmap') ? 'on' : 'using', index]),
        ...(table === undefined ? [] : ['on', table]),
      ].join(' '),
      loops,
      rows: times('Actual Rows'),
      estimatedRows: number('Plan Rows') * Number(node['Actual Loops'] ?? 1),
      removedRows:
        times('Rows Removed by Filter') +
        times('Rows Removed by Join Filter') +
        times('Rows Removed by Index Recheck'),
      buffers: own(buffersOf(node), buffersOf),
      ms: own(elapsed(node, processes), child => elapsed(child, processesOf(child))),
    },
    ...plans.flatMap(child => nodesOf(child, processesOf(child))),
  ]
}

function joinedBy(type: string, joinType = 'Inner'): string {
  return joinType === 'Inner' ? type : `${type.replace(' Join', '')} ${joinType} Join`
}

function buffersOf(node: Explained): number {
  return numberOf(node, 'Shared Hit Blocks') + numberOf(node, 'Shared Read Blocks')
}

/** why: a parallel node's time is the average of processes that ran at the same time */
function elapsed(node: Explained, processes: number): number {
  return (numberOf(node, 'Actual Total Time') * numberOf(node, 'Actual Loops')) / processes
}

function numberOf(node: Explained, key: string): number {
  return Number(node[key] ?? 0)
}
