/** The tables of the product that hold rows of organizations, as the replica's catalog has them. */
import type { Bytes } from '../../model/terms.ts'
import type { Session } from './session.ts'

export interface ProductTable {
  readonly schema: string
  readonly name: string
  /** Holds the organization's id. */
  readonly organizationColumn: string
  readonly isView: boolean
  /** Whether its name alone finds it. */
  readonly isVisible: boolean
  readonly columns: readonly ProductColumn[]
}

export interface ProductColumn {
  readonly name: string
  /** As a cast has it. */
  readonly type: string
  readonly kind: 'text' | 'number' | 'date' | 'instant' | 'other'
  /** Whether the product holds two rows apart by it, or points at another table with it. */
  readonly identifies: boolean
  /** Whether a check of the product's says what it may hold. */
  readonly isChecked: boolean
}

interface Row {
  readonly schema: string
  readonly name: string
  readonly kind: string
  readonly is_visible: string
  readonly organization_column: string
  readonly columns: string
}

/** Tables and views that have a column of that name, and the table of organizations that it points at. */
export async function readProductTables(
  session: Session,
  organizationColumn: string,
): Promise<ProductTable[]> {
  const rows = await session.rows<Row>(TABLES, [organizationColumn])
  return rows.map(row => ({
    schema: row.schema,
    name: row.name,
    organizationColumn: row.organization_column,
    isView: row.kind === 'v' || row.kind === 'm',
    isVisible: row.is_visible === 't',
    columns: columnsOf(JSON.parse(row.columns)),
  }))
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly category: string
  readonly identifies: boolean
  readonly checked: boolean
}

function columnsOf(rows: readonly ColumnRow[]): ProductColumn[] {
  return rows.map(({ name, type, category, identifies, checked }) => ({
    name,
    type,
    kind: kindOf(type, category),
    // why: what is called an id may be one without a constraint that says so
    identifies: identifies || /(^|_)id$/.test(name),
    isChecked: checked,
  }))
}

function kindOf(type: string, category: string): ProductColumn['kind'] {
  if (category === 'S') return 'text'
  if (/^(smallint|integer|bigint|numeric)/.test(type)) return 'number'
  if (type === 'date') return 'date'
  return type === 'timestamp with time zone' ? 'instant' : 'other'
}

/** Only what is no system's own; `relpages` would be older than the last vacuum. */
const TABLES = `
with holding as (
    select attrelid as oid, attname as organization_column
    from pg_attribute
    where attname = $1 and attnum > 0 and not attisdropped
    union
    select keys.confrelid, pointed.attname
    from pg_constraint as keys
    join pg_attribute as pointing on pointing.attrelid = keys.conrelid and pointing.attnum = keys.conkey[1]
    join pg_attribute as pointed on pointed.attrelid = keys.confrelid and pointed.attnum = keys.confkey[1]
    where keys.contype = 'f' and cardinality(keys.conkey) = 1 and pointing.attname = $1
)
select
    pg_namespace.nspname as schema,
    pg_class.relname as name,
    pg_class.relkind as kind,
    pg_table_is_visible(pg_class.oid) as is_visible,
    holding.organization_column,
    (
        select json_agg(json_build_object(
            'name', pg_attribute.attname,
            'type', format_type(pg_attribute.atttypid, pg_attribute.atttypmod),
            'category', pg_type.typcategory,
            'identifies', exists (
                select from pg_constraint
                where pg_constraint.conrelid = pg_class.oid
                  and pg_constraint.contype in ('p', 'u', 'f', 'x')
                  and pg_attribute.attnum = any (pg_constraint.conkey)
            ) or exists (
                select from pg_index
                where pg_index.indrelid = pg_class.oid
                  and pg_index.indisunique
                  and pg_attribute.attnum = any (pg_index.indkey::smallint[])
            ),
            'checked', pg_class.relkind in ('v', 'm') or exists (
                select from pg_constraint
                where pg_constraint.conrelid = pg_class.oid
                  and pg_constraint.contype = 'c'
                  and pg_attribute.attnum = any (pg_constraint.conkey)
            )
        ) order by pg_attribute.attnum)
        from pg_attribute
        join pg_type on pg_type.oid = pg_attribute.atttypid
        where pg_attribute.attrelid = pg_class.oid
          and pg_attribute.attnum > 0
          and not pg_attribute.attisdropped
          and has_column_privilege(pg_class.oid, pg_attribute.attnum, 'select')
    ) as columns
from holding
join pg_class on pg_class.oid = holding.oid
join pg_namespace on pg_namespace.oid = pg_class.relnamespace
where pg_class.relkind in ('r', 'p', 'v', 'm', 'f')
  and pg_namespace.nspname <> 'information_schema'
  and pg_namespace.nspname !~ '^pg_'
  and has_schema_privilege(pg_namespace.oid, 'usage')
  and has_any_column_privilege(pg_class.oid, 'select')`

/** By schema and name, as `tableKey` puts them together. */
export async function tableSizes(session: Session): Promise<ReadonlyMap<string, Bytes>> {
  const rows = await session.rows<{ schema: string; name: string; bytes: string }>(`
    select
        pg_namespace.nspname as schema,
        pg_class.relname as name,
        pg_relation_size(pg_class.oid) as bytes
    from pg_class
    join pg_namespace on pg_namespace.oid = pg_class.relnamespace
    where pg_class.relkind in ('r', 'm')`)
  return new Map(rows.map(({ schema, name, bytes }) => [tableKey(schema, name), Number(bytes)]))
}

export function tableKey(schema: string | undefined, name: string | undefined): string {
  return `${schema ?? ''}.${name ?? ''}`
}
