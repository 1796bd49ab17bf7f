/** The declared tables, as the catalog describes them. */
import { escapeLiteral } from 'pg'
import { writtenSql } from '../../definitions/sql/sql-pieces.ts'
import type { DeclaredTable, Tenancy } from '../../definitions/tenancy.ts'
import { rowsOf } from '../../definitions/tenant-rows.ts'
import type { Organization } from '../../model/terms.ts'
import {
  createFindTable,
  plainType,
  type CatalogColumn,
  type CatalogTable,
} from '../sql/catalog-tables.ts'
import { tableOf } from '../tenancy/catalog-faults.ts'
import { columnsOf } from '../tenancy/proposed-line.ts'

export interface ProductTable extends CatalogTable {
  readonly declared: DeclaredTable
  /** Those that definitions may read. */
  readonly columns: readonly ProductColumn[]
  /** A select of an organization's rows. */
  readonly ownRows: (organization: Pick<Organization, 'id' | 'idType'>) => string
}

export interface ProductColumn extends CatalogColumn {
  readonly kind: 'text' | 'number' | 'date' | 'instant' | 'other'
  /** Whether the column is part of a key or a foreign key. */
  readonly identifies: boolean
  /** Whether a check constraint of the product restricts its values. */
  readonly isChecked: boolean
}

export function productTables({ tables }: Tenancy, all: readonly CatalogTable[]): ProductTable[] {
  const find = createFindTable(all)
  const rows = rowsOf(tables)
  return [...tables.values()].flatMap((declared): ProductTable[] => {
    const table = tableOf(declared, find)
    // why: without the right to read its columns, PostgreSQL rejects a condition on them
    if (table === undefined || table.columns.length === 0) return []
    return [
      {
        ...table,
        declared,
        columns: productColumns(table, declared),
        ownRows: ({ id, idType }) =>
          writtenSql(rows(declared), () => `${escapeLiteral(id)}::${idType}`).join(''),
      },
    ]
  })
}

function productColumns(
  { isView, columns, uniqueKeys, foreignKeys, checks }: CatalogTable,
  { tenancy, columns: readable }: DeclaredTable,
): ProductColumn[] {
  // why: variations must not change the columns that identify the organization
  const own = columnsOf(tenancy)
  const referencing = foreignKeys.map(key => key.columns)
  const identifying = new Set([own, ...uniqueKeys, ...referencing].flat())
  const checked = new Set(checks.flatMap(check => check.columns))
  const all = columns.map(column => ({
    ...column,
    kind: kindOf(column),
    // why: an id column may lack a constraint
    identifies: identifying.has(column.name) || /(^|_)id$/.test(column.name),
    isChecked: isView || checked.has(column.name) || column.checks.length > 0,
  }))
  return all.filter(({ name }) => readable?.includes(name) ?? true)
}

function kindOf({ type, category }: CatalogColumn): ProductColumn['kind'] {
  return category === 'S' ? 'text' : (KINDS[plainType(type)] ?? 'other')
}

const KINDS: Readonly<Record<string, ProductColumn['kind']>> = {
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  date: 'date',
  'timestamp with time zone': 'instant',
}
