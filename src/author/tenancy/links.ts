/** The columns with which a child refers to its parent. */
import { tableKey, type CatalogTable, type ForeignKey } from '../sql/catalog-tables.ts'
import { ANY_NAME, type Link, type Tenancy } from './tenancy.ts'

function linkOf({ schema, name, columns, keys }: ForeignKey): Link {
  return { parent: tableKey({ schema, name }), columns, keys }
}

/**
 * By foreign keys; otherwise by the declared parent's primary key, with the same names, or any name for a single column.
 * @param declared the parent that `tenancy.yaml` names
 */
export function linksOf(table: CatalogTable, declared: CatalogTable | undefined): Link[] {
  if (declared === undefined)
    return table.foreignKeys.filter(({ isRequired }) => isRequired).map(linkOf)
  const parent = tableKey(declared)
  const links = table.foreignKeys.map(linkOf).filter(link => link.parent === parent)
  if (links.length > 0) return links
  const keys = declared.primaryKey
  const isNamed = keys.every(key => table.columns.some(({ name }) => name === key))
  if (keys.length > 0 && isNamed && keys.join() !== 'id') return [{ parent, columns: keys, keys }]
  const [key = ANY_NAME] = keys.length === 1 ? keys : []
  return [{ parent, columns: [ANY_NAME], keys: [key] }]
}

/** Links to the parents of a parent and to theirs, if the child has their keys, too. @param visited keys of tables */
export function linksThrough(
  { parent, columns, keys }: Link,
  parentsOf: (key: string) => readonly Link[],
  visited: readonly string[],
): Link[] {
  return parentsOf(parent).flatMap(link => {
    const own = link.columns.flatMap(name => columns[keys.indexOf(name)] ?? [])
    const isWhole = own.length === link.columns.length && !own.includes(ANY_NAME)
    if (!isWhole || visited.includes(link.parent)) return []
    const through: Link = { ...link, columns: own }
    return [through].concat(linksThrough(through, parentsOf, visited.concat(parent)))
  })
}

/** The child's column with the organization of its parent. */
export function columnThrough({ columns, keys }: Link, parent: Tenancy | undefined): string[] {
  if (parent?.kind !== 'tenant' || keys.length < 2) return []
  const column = columns[keys.indexOf(parent.column)]
  return column === undefined ? [] : [column]
}
