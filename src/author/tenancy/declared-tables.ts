/** Errors in lines of `tenancy.yaml`. */
import { suggest } from '../../model/spelling.ts'
import type { CatalogTable } from '../sql/catalog-tables.ts'
import { isIdColumn, type OrganizationId } from './organization-id.ts'
import type { DeclaredTable } from './tenancy-file.ts'

export function noTable(written: string, tables: readonly CatalogTable[]): string {
  const names = tables.map(({ isVisible, schema, name }) =>
    isVisible ? name : `${schema}.${name}`,
  )
  const suggestion = suggest(written, names)
  const expected = 'expected one of the product, with its schema'
  return `there is no table "${written}", ${suggestion.startsWith('did') ? suggestion : expected}`
}

export function wrongColumn(
  { kind, table: written, by }: DeclaredTable,
  table: CatalogTable,
  id: OrganizationId,
): string | undefined {
  // why: without the right to read a table, its columns are unknown
  if (kind !== 'tenant' || table.columns.length === 0) return undefined
  const column = table.columns.find(({ name }) => name === by)
  if (column === undefined) {
    const names = table.columns.map(({ name }) => name)
    return `${written} has no column "${by}", ${suggest(by, [...names, 'shared'])}`
  }
  if (isIdColumn(column, id)) return undefined
  return `${written}.${by} is ${column.type}, expected ${id.type} as the organization's id is`
}

/** Reports a parent that is shared, the table itself, or a descendant of it. */
export function wrongParent(
  { table, ...line }: DeclaredTable,
  lineOf: (name: string) => DeclaredTable | undefined,
): string | undefined {
  const visited = new Set([table])
  for (let { kind, by } = line; kind === 'child';) {
    if (visited.has(by))
      return `${table} is its own parent, via ${by}, expected a table of organizations`
    visited.add(by)
    const above = lineOf(by)
    if (above?.kind === 'shared')
      return `${table} has the parent ${by}, which is shared, expected a table of organizations`
    if (above === undefined) return undefined
    ;({ kind, by } = above)
  }
  return undefined
}
