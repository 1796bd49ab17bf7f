/** Tables and views by the database's catalog: columns, keys and constraints. */
import type { QueryRows } from '../../serve/database/connection.ts'

/** A table or view, including those that the role may not read. */
export interface CatalogTable {
  readonly schema: string
  readonly name: string
  readonly isView: boolean
  /** Whether it is found without its schema. */
  readonly isVisible: boolean
  /** Whether it is a partition of another table. */
  readonly isPartition: boolean
  /** Whether the role may read all columns, also later ones. */
  readonly isReadable: boolean
  /** Columns that the role may read. */
  readonly columns: readonly CatalogColumn[]
  /** The columns of unique indexes without expressions, and of exclusion constraints. */
  readonly uniqueKeys: ReadonlyArray<readonly string[]>
  /** The first column of each index. */
  readonly indexed: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly checks: readonly CheckConstraint[]
}

export interface CatalogColumn {
  readonly name: string
  /** As in a cast; for a domain, its base type. */
  readonly type: string
  /** PostgreSQL's `typcategory`: D of dates and times, N of numbers, S of texts, B of booleans, E of enums, A of arrays. */
  readonly category: string
  /** The checks of its domain. */
  readonly checks: readonly CheckConstraint[]
}

/** A type without its modifiers: `timestamp with time zone` for `timestamp(3) with time zone`. */
export function plainType(type: string): string {
  return type.replace(/\(.*?\)/, '')
}

/** An SQL condition that each row meets, as PostgreSQL prints it. */
export interface CheckConstraint {
  readonly condition: string
  readonly columns: readonly string[]
  /** Whether PostgreSQL verified it for existing rows. */
  readonly isValidated: boolean
}

export interface ForeignKey {
  readonly columns: readonly string[]
  /** The referenced table, and the referenced columns in the same order. */
  readonly schema: string
  readonly name: string
  readonly keys: readonly string[]
  /** Whether no column of it is nullable. */
  readonly isRequired: boolean
}

export async function readCatalogTables(query: QueryRows): Promise<CatalogTable[]> {
  return (await query({ text: TABLES })).map(([table]) => JSON.parse(table!) as CatalogTable)
}

/** A table as named in SQL. */
export interface TableName {
  readonly name: string | undefined
  readonly schema: string | undefined
}

export type FindTable = (named: TableName) => CatalogTable | undefined

export function createFindTable(tables: readonly CatalogTable[]): FindTable {
  const byName = new Map(
    tables.flatMap(table => [
      [tableKey(table), table],
      ...(table.isVisible
        ? [[tableKey({ name: table.name, schema: undefined }), table] as const]
        : []),
    ]),
  )
  return named => byName.get(tableKey(named))
}

export function tableKey({ schema = '', name = '' }: TableName): string {
  return `${schema}.${name}`
}

/** Without rows, an empty array. */
const list = (item: string, from: string) =>
  `(select coalesce(jsonb_agg(${item}), '[]') from ${from})`

const relation = (oid: string) => `(
    select jsonb_build_object('schema', nspname, 'name', relname)
    from pg_class as named join pg_namespace as its on its.oid = relnamespace where named.oid = ${oid}
)`

const names = (oid: string, numbers: string) => `(
    select coalesce(jsonb_agg(named.attname order by numbered.place), '[]')
    from unnest(${numbers}::smallint[]) with ordinality as numbered (number, place)
    join pg_attribute as named on named.attrelid = ${oid} and named.attnum = numbered.number
)`

const CHECK = `jsonb_build_object(
    'condition', pg_get_expr(conbin, conrelid),
    'columns', ${names('conrelid', 'conkey')},
    'isValidated', convalidated
)`

const checks = (where: string) => list(CHECK, `pg_constraint where contype = 'c' and ${where}`)

const KEYS = list(
  names('pg_class.oid', '(pg_index.indkey::smallint[])[0:pg_index.indnkeyatts - 1]'),
  `pg_index where pg_index.indrelid = pg_class.oid and 0 <> all (pg_index.indkey::smallint[])
     and (pg_index.indisunique or pg_index.indisexclusion)`,
)

const TABLES = `
select json_build_object(
    'schema', pg_namespace.nspname,
    'name', pg_class.relname,
    'isView', pg_class.relkind in ('v', 'm'),
    'isVisible', pg_table_is_visible(pg_class.oid),
    'isPartition', pg_class.relispartition,
    'isReadable', has_table_privilege(pg_class.oid, 'select'),
    'columns', (
        select coalesce(json_agg(json_build_object(
            'name', pg_attribute.attname,
            'type', case
                when own.typtype = 'd' then format_type(own.typbasetype, own.typtypmod)
                else format_type(own.oid, pg_attribute.atttypmod)
            end,
            'category', own.typcategory,
            'checks', ${checks('contypid = own.oid')}
        ) order by pg_attribute.attnum), '[]')
        from pg_attribute
        join pg_type as own on own.oid = pg_attribute.atttypid
        where pg_attribute.attrelid = pg_class.oid
          and pg_attribute.attnum > 0
          and not pg_attribute.attisdropped
          and has_column_privilege(pg_class.oid, pg_attribute.attnum, 'select')
    ),
    'uniqueKeys', ${KEYS},
    'indexed', ${names('pg_class.oid', 'array(select indkey[0] from pg_index where indrelid = pg_class.oid and indpred is null)')},
    'foreignKeys', (
        select coalesce(jsonb_agg(${relation('keys.confrelid')} || jsonb_build_object(
            'columns', ${names('pg_class.oid', 'keys.conkey')},
            'keys', ${names('keys.confrelid', 'keys.confkey')},
            'isRequired', not exists (
                select from pg_attribute
                where pg_attribute.attrelid = pg_class.oid
                  and pg_attribute.attnum = any (keys.conkey)
                  and not pg_attribute.attnotnull
            )
        ) order by keys.conname), '[]')
        from pg_constraint as keys
        where keys.conrelid = pg_class.oid and keys.contype = 'f'
    ),
    'checks', ${checks('conrelid = pg_class.oid')}
)::text as table
from pg_class
join pg_namespace on pg_namespace.oid = pg_class.relnamespace
where pg_class.relkind in ('r', 'p', 'v', 'm', 'f')
  and pg_namespace.nspname <> 'information_schema'
  and pg_namespace.nspname !~ '^pg_'
  and has_schema_privilege(pg_namespace.oid, 'usage')
order by pg_namespace.nspname, pg_class.relname`
