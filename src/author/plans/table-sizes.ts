/** How large the tables of a plan are. Knows pg's client and nothing of what the plan is for. */
import type { ClientBase } from 'pg'
import type { Bytes } from '../../model/terms.ts'
import type { Plan, PlanNode } from './plan.ts'

/** By `schema.table`, without indexes and without what is stored aside. */
export type TableSizes = ReadonlyMap<string, Bytes>

/** Undefined for a node that scans no table; a plan that is not verbose has no schemas. */
export function tableOf({ schema, table }: PlanNode): string | undefined {
  return table === undefined ? undefined : `${schema ?? ''}.${table}`
}

/** @throws what PostgreSQL or the transport reported */
export async function tableSizes(
  client: ClientBase,
  { nodes }: Pick<Plan, 'nodes'>,
): Promise<TableSizes> {
  const tables = nodes.filter(({ table }) => table !== undefined)
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select distinct wanted.schema || '.' || wanted.name as name, pg_relation_size(pg_class.oid)::text as bytes
     from unnest($1::text[], $2::text[]) as wanted (schema, name)
     join pg_namespace on pg_namespace.nspname = wanted.schema
     join pg_class on pg_class.relnamespace = pg_namespace.oid and pg_class.relname = wanted.name`,
    [tables.map(({ schema }) => schema ?? ''), tables.map(({ table }) => table)],
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
