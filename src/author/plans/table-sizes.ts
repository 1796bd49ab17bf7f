/** Sizes of the tables in a plan. Knows no definition. */
import { escapeIdentifier } from 'pg'
import type { Bytes } from '../../model/terms.ts'
import type { Plan, PlanNode } from './plan.ts'

/** By `tableOf`, without indexes and TOAST. */
export type TableSizes = ReadonlyMap<string, Bytes>

/** Undefined for a node without a table; only verbose plans have schemas. */
export function tableOf({ schema = '', table }: PlanNode): string | undefined {
  return table === undefined ? undefined : `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`
}

/** @throws what PostgreSQL or the transport reported */
export async function tableSizes(
  { nodes }: Pick<Plan, 'nodes'>,
  ask: (text: string, values: unknown[]) => Promise<ReadonlyArray<{ name: string; bytes: string }>>,
): Promise<TableSizes> {
  const text = `select name, pg_relation_size(to_regclass(name))::text as bytes
    from (select distinct unnest($1::text[]) as name) as tables`
  const rows = await ask(text, [nodes.flatMap(node => tableOf(node) ?? [])])
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
