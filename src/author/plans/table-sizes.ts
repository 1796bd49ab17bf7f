/** Sizes of the tables in a plan. Knows no definition. */
import type { Bytes } from '../../model/terms.ts'
import type { Plan, PlanNode } from './plan.ts'

/** By `schema.table`, without indexes and TOAST. */
export type TableSizes = ReadonlyMap<string, Bytes>

/** Undefined for a node without a table; only verbose plans have schemas. */
export function tableOf({ schema, table }: PlanNode): string | undefined {
  return table === undefined ? undefined : `${schema ?? ''}.${table}`
}

/** @throws what PostgreSQL or the transport reported */
export async function tableSizes(
  { nodes }: Pick<Plan, 'nodes'>,
  ask: (text: string, values: unknown[]) => Promise<ReadonlyArray<{ name: string; bytes: string }>>,
): Promise<TableSizes> {
  const tables = nodes.filter(({ table }) => table !== undefined)
  const rows = await ask(
    `select distinct wanted.schema || '.' || wanted.name as name, pg_relation_size(pg_class.oid)::text as bytes
     from unnest($1::text[], $2::text[]) as wanted (schema, name)
     join pg_namespace on pg_namespace.nspname = wanted.schema
     join pg_class on pg_class.relnamespace = pg_namespace.oid and pg_class.relname = wanted.name`,
    [tables.map(({ schema }) => schema ?? ''), tables.map(({ table }) => table)],
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
