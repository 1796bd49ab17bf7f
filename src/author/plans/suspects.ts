/** The suspects of a plan, ranked by cost. Knows plans, not definitions. */
import type { ClientBase } from 'pg'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { duplicatedRows } from '../sql/duplicated-rows.ts'
import { readQuery } from '../sql/query.ts'
import { createFindTable, readCatalogTables } from '../sql/catalog-tables.ts'
import { estimate } from './estimate.ts'
import { duplicatedSums } from './duplicated-sums.ts'
import { nodeOffsets } from './node-offsets.ts'
import { below, inputs, type Plan, type PlanNode } from './plan.ts'
import { discardedRows, heapFetches, sequentialScan } from './reading-suspects.ts'
import { scannedRelations } from './scanned-relations.ts'
import type { Suspect, SuspectKind, SuspectRule } from './suspect.ts'
import { tableSizes, type TableSizes } from './table-sizes.ts'
import { loop, growingJoin, spill } from './working-suspects.ts'

/** Suspects with a smaller share are not reported. */
const LEAST_SHARE = 0.02

const RULES: ReadonlyArray<readonly [SuspectKind, SuspectRule]> = [
  ['sequential-scan', sequentialScan],
  ['spill', spill],
  ['loop', loop],
  ['discarded-rows', discardedRows],
  ['heap-fetches', heapFetches],
  ['multiplied-rows', growingJoin],
  ['estimate', estimate],
]

/** Kinds whose cost includes the inputs of the node. */
const WITH_INPUTS: ReadonlySet<SuspectKind> = new Set(['loop', 'multiplied-rows'])

export interface PlannedStatement {
  readonly text: string
  readonly values: readonly string[]
  readonly plan: Plan
}

/**
 * Suspects with their offsets in the statement, if known. Sums of duplicated rows come first, as they are errors; the
 * others are ranked by share.
 * @throws what PostgreSQL or the transport reported
 */
export async function findSuspects(
  client: ClientBase,
  { text, values, plan }: PlannedStatement,
  parse: ParseSql,
): Promise<Suspect[]> {
  const ask = async (sql: string, args?: unknown[]) => (await client.query(sql, args)).rows
  const slow = suspectsOf(plan, await tableSizes(plan, ask))
  const tables = await readCatalogTables(ask)
  const sql = await parse({ text, placeholders: [] })
  const query = readQuery(sql.statements[0]?.tree)
  if (query === undefined) return slow
  const scanned = await scannedRelations(client, { sql, query }, values, plan)
  const offsetOf = nodeOffsets(plan, query, scanned)
  const wrong = duplicatedSums(plan, sql, duplicatedRows(query, createFindTable(tables)), scanned)
  return wrong.concat(
    slow.map(suspect => Object.assign(suspect, { offset: offsetOf(suspect.node) })),
  )
}

/** Suspects with a relevant share, without offsets. */
export function suspectsOf(plan: Plan, sizes: TableSizes): Suspect[] {
  const all = RULES.flatMap(([kind, rule]) =>
    plan.nodes.flatMap(node => {
      const message = rule(node, plan, sizes)
      const share = shareOf(plan, WITH_INPUTS.has(kind) ? below(node, inputs) : [node])
      return message === undefined || share < LEAST_SHARE ? [] : [{ kind, node, message, share }]
    }),
  )
  return all.toSorted((a, b) => b.share - a.share)
}

function shareOf(plan: Plan, nodes: readonly PlanNode[]): number {
  const sum = (figure: 'ms' | 'buffers') => nodes.reduce((total, node) => total + node[figure], 0)
  const ofTime = sum('ms') / Math.max(plan.ms, Number.MIN_VALUE)
  return Math.min(1, Math.max(ofTime, sum('buffers') / Math.max(plan.buffers, 1)))
}
