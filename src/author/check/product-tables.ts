/** Tables of the product whose tenancy is known. */
import { plainType, type CatalogColumn, type CatalogTable } from '../sql/catalog-tables.ts'

export interface ProductTable extends CatalogTable {
  readonly columns: readonly ProductColumn[]
  /** The column with the organization's id; undefined for a child table. */
  readonly organizationColumn: string | undefined
  /** The condition that selects an organization's rows. @param id an SQL literal */
  readonly ownRows: (id: string) => string
}

export interface ProductColumn extends CatalogColumn {
  readonly kind: 'text' | 'number' | 'date' | 'instant' | 'other'
  /** Whether the column is part of a key or a foreign key. */
  readonly identifies: boolean
  /** Whether a check constraint of the product restricts its values. */
  readonly isChecked: boolean
}

/** @param own columns that identify the organization of a row */
export function productColumns(
  { view, columns, uniqueKeys, partialKeys, foreignKeys, checks }: CatalogTable,
  own: readonly string[],
): ProductColumn[] {
  const referencing = foreignKeys.map(key => key.columns)
  const identifying = new Set([own, ...uniqueKeys, ...partialKeys, ...referencing].flat())
  const checked = new Set(checks.flatMap(check => check.columns))
  return columns.map(column => ({
    ...column,
    kind: kindOf(column),
    // why: an id column may lack a constraint
    identifies: identifying.has(column.name) || /(^|_)id$/.test(column.name),
    isChecked: view !== null || checked.has(column.name) || column.checks.length > 0,
  }))
}

function kindOf({ type, category, checks }: CatalogColumn): ProductColumn['kind'] {
  if (category === 'S') return 'text'
  // why: other values may violate the domain's check
  if (checks.length > 0) return 'other'
  return KINDS[plainType(type)] ?? 'other'
}

const KINDS: Readonly<Record<string, ProductColumn['kind']>> = {
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  date: 'date',
  'timestamp with time zone': 'instant',
}
