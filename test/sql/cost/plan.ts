/** What PostgreSQL did to answer a definition: time, buffers, and the nodes of its plan. Nothing is stored. */
import type { Client } from 'pg'
import type { Definition } from '../../../src/definitions/definition.ts'
import type { Question } from '../oracles/oracle.ts'

export interface PlanNode {
  readonly type: string
  readonly table: string | undefined
  readonly index: string | undefined
  readonly loops: number
  /** Of the node alone and over all its loops, without those of its children. */
  readonly buffers: number
}

export interface Run {
  readonly ms: number
  /** Pages of tables and indexes that were asked for, in memory or not; those of planning are not among them. */
  readonly buffers: number
  /** Pages of temporary files: what did not fit into work_mem. */
  readonly spilled: number
  readonly nodes: readonly PlanNode[]
}

/** A node as `explain (format json)` prints it: figures of its children are in its own. */
interface Explained {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Loops': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly 'Temp Read Blocks': number
  readonly 'Temp Written Blocks': number
  readonly Plans?: readonly Explained[]
}

/** Runs the statement as the gateway does, with its values bound, and counts. */
export function explain(
  client: Client,
  { statement }: Pick<Definition, 'statement'>,
  organizationId: string,
  question: Question,
): Promise<Run> {
  const values = statement.values({ organizationId, ...question })
  return explainText(client, statement.text('uuid'), values)
}

export async function explainText(
  client: Client,
  text: string,
  values: readonly string[],
): Promise<Run> {
  const { rows } = await client.query<{
    'QUERY PLAN': readonly { readonly Plan: Explained; readonly 'Execution Time': number }[]
  }>(`explain (analyze, buffers, timing off, format json) ${text}`, [...values])
  const explained = rows[0]?.['QUERY PLAN'][0]
  if (explained === undefined) throw new Error('explain gave no plan')
  return {
    ms: explained['Execution Time'],
    buffers: shared(explained.Plan),
    spilled: explained.Plan['Temp Read Blocks'] + explained.Plan['Temp Written Blocks'],
    nodes: nodes(explained.Plan),
  }
}

function shared(node: Explained): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks']
}

function nodes(node: Explained): PlanNode[] {
  const children = node.Plans ?? []
  const ofChildren = children.reduce((sum, child) => sum + shared(child), 0)
  const own = {
    type: node['Node Type'],
    table: node['Relation Name'],
    index: node['Index Name'],
    loops: node['Actual Loops'],
    buffers: shared(node) - ofChildren,
  }
  return [own, ...children.flatMap(nodes)]
}

/** The nodes that read something, in a line each. */
export function describePlan({ nodes, buffers }: Run): string {
  const lines = nodes
    .filter(({ table, index }) => table !== undefined || index !== undefined)
    .map(({ type, table, index, loops, buffers }) => {
      const of = [table, index].filter(name => name !== undefined).join(' by ')
      return `    ${buffers} in ${type} ${of}, ${loops} loops`
    })
  return [`    ${buffers} buffers:`, ...lines].join('\n')
}
