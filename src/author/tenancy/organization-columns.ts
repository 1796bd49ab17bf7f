/** The columns of each table with an organization's id: by keys, and by the usual name. */
import type { DeclaredTable } from '../../definitions/tenancy.ts'
import { tableKey, type CatalogTable, type ForeignKey } from '../sql/catalog-tables.ts'
import { isIdColumn, type OrganizationKey } from './organization-key.ts'

/** Its own foreign keys and those of the tables whose columns it inherits. */
export type KeysOf = (table: CatalogTable) => readonly ForeignKey[]

/**
 * A column that refers to one with an organization's id has one, too.
 * @param declared by `tableKey`
 * @returns columns by `tableKey`; several if one table refers to two organizations
 */
export function organizationColumns(
  tables: readonly CatalogTable[],
  id: OrganizationKey,
  declared: ReadonlyMap<string, DeclaredTable>,
  keysOf: KeysOf,
): ReadonlyMap<string, ReadonlySet<string>> {
  const isFixed = (table: CatalogTable) =>
    tableKey(table) === id.table || declared.has(tableKey(table))
  const columnsOf = (table: CatalogTable): string[] => {
    const tenancy = declared.get(tableKey(table))?.tenancy
    if (tenancy !== undefined) return tenancy.kind === 'tenant' ? [tenancy.column] : []
    return tableKey(table) === id.table ? [id.column] : namedColumns(table, id, keysOf, [id.name])
  }
  const found = new Map(tables.map(table => [tableKey(table), new Set(columnsOf(table))]))
  // why: the role may not see the table of organizations
  if (id.table !== undefined && !found.has(id.table)) found.set(id.table, new Set([id.column]))
  for (let grows = true; grows;) {
    grows = false
    for (const table of tables.filter(one => !isFixed(one))) {
      const own = found.get(tableKey(table))!
      const { size } = own
      for (const key of keysOf(table))
        for (const [at, column] of key.columns.entries())
          if (found.get(tableKey(key))?.has(key.keys[at]!)) own.add(column)
      grows ||= own.size > size
    }
  }
  return found
}

/** Columns of the id's type with one of these names that refer to no table. */
export function namedColumns(
  table: CatalogTable,
  id: OrganizationKey,
  keysOf: KeysOf,
  names: Iterable<string>,
): string[] {
  const free = new Set(names)
  for (const { columns } of keysOf(table)) if (columns.length === 1) free.delete(columns[0]!)
  return table.columns.filter(one => free.has(one.name) && isIdColumn(one, id)).map(one => one.name)
}
