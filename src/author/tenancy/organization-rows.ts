/** SQL conditions that select an organization's rows of a table. */
import { escapeIdentifier } from 'pg'
import { productColumns, type ProductTable } from '../check/product-tables.ts'
import type { CatalogTable } from '../sql/catalog-tables.ts'
import { ANY_NAME, type Tenancies } from './tenancy.ts'

/** Tenants and children, without children whose link columns are unknown. */
export function tablesWithOrganizationRows(
  tables: readonly CatalogTable[],
  tenancies: Tenancies,
): ProductTable[] {
  return tables.flatMap(table => {
    const ownRows = ownRowsOf(table, tenancies)
    const tenancy = tenancies.of(table)?.tenancy
    if (ownRows === undefined) return []
    const organizationColumn = tenancy?.kind === 'tenant' ? tenancy.column : undefined
    const links = tenancy?.kind === 'child' ? tenancy.links.flatMap(link => link.columns) : []
    // why: variations must not change the columns that identify the organization
    const own = organizationColumn === undefined ? links : [organizationColumn]
    const columns = productColumns(table, own)
    return [{ ...table, columns, organizationColumn, ownRows }]
  })
}

function ownRowsOf(
  table: CatalogTable,
  tenancies: Tenancies,
  visited: readonly CatalogTable[] = [],
): ProductTable['ownRows'] | undefined {
  // why: without the right to read its columns, PostgreSQL rejects the condition
  if (table.columns.length === 0 || visited.includes(table)) return undefined
  const tenancy = tenancies.of(table)?.tenancy
  if (tenancy?.kind === 'tenant') {
    const { column } = tenancy
    const type = table.columns.find(({ name }) => name === column)?.type ?? 'text'
    return id => `${escapeIdentifier(column)} = ${id}::${type}`
  }
  if (tenancy?.kind !== 'child') return undefined
  for (const { parent, columns, keys } of tenancy.links) {
    const above = tenancies.ofKey(parent)?.table
    const own = above && ownRowsOf(above, tenancies, [...visited, table])
    if (above === undefined || own === undefined || columns.includes(ANY_NAME)) continue
    const from = `${escapeIdentifier(above.schema)}.${escapeIdentifier(above.name)}`
    return id => `(${list(columns)}) in (select ${list(keys)} from ${from} where ${own(id)})`
  }
  return undefined
}

function list(names: readonly string[]): string {
  return names.map(name => escapeIdentifier(name)).join(', ')
}
