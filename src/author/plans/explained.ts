/** A node as `explain (format json)` prints it. Counts of rows and times are averages over its loops. */

export interface Explained {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Subplan Name'?: string
  readonly 'Parallel Aware'?: boolean
  readonly Schema?: string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly 'Index Name'?: string
  readonly 'CTE Name'?: string
  readonly 'Join Type'?: string
  readonly 'Inner Unique'?: boolean
  readonly 'Plan Rows': number
  /** Absent in a plan that was not run. */
  readonly 'Actual Loops'?: number
  readonly 'Actual Rows'?: number
  /** Absent where timing was off. */
  readonly 'Actual Total Time'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  /** Of all loops, as are blocks. */
  readonly 'Heap Fetches'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly 'Temp Read Blocks'?: number
  readonly 'Temp Written Blocks'?: number
  readonly Output?: readonly string[]
  readonly 'Group Key'?: readonly string[]
  readonly 'Grouping Sets'?: readonly {
    readonly 'Group Keys'?: readonly (readonly string[])[]
    readonly 'Hash Keys'?: readonly (readonly string[])[]
  }[]
  readonly Window?: string
  readonly Plans?: readonly Explained[]
  readonly [key: string]: unknown
}

export interface ExplainedRun {
  readonly Plan: Explained
  readonly 'Planning Time'?: number
  readonly 'Execution Time'?: number
}

/** What rows must meet at a node, in the order in which a person asks. */
const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'TID Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'One-Time Filter',
  'Run Condition',
] as const

const METHODS = ['Sort Key', 'Presorted Key', 'Group Key', 'Window', 'Cache Key'] as const

export function conditionsOf(node: Explained): { kind: string; text: string }[] {
  return detailsNamed(node, CONDITIONS)
}

export function methodsOf(node: Explained): { kind: string; text: string }[] {
  return detailsNamed(node, METHODS)
}

function detailsNamed(node: Explained, kinds: readonly string[]) {
  return kinds.flatMap(kind => {
    const found = node[kind]
    if (typeof found === 'string') return [{ kind, text: found }]
    if (Array.isArray(found)) return [{ kind, text: found.join(', ') }]
    return []
  })
}

/** All nodes, each before its children. */
export function allOf(node: Explained): Explained[] {
  return [node, ...(node.Plans ?? []).flatMap(allOf)]
}
