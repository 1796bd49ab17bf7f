/** Errors in lines of `tenancy.yaml`, by the database's catalog. */
import type { FileFinding } from '../../definitions/findings.ts'
import type { DeclaredTable, Tenancy } from '../../definitions/tenancy.ts'
import { suggest } from '../../model/spelling.ts'
import {
  createFindTable,
  plainType,
  tableKey,
  type CatalogTable,
  type FindTable,
  type ForeignKey,
} from '../sql/catalog-tables.ts'
import { isIdColumn, mostOf } from './organization-key.ts'

/**
 * @param all all tables of the product
 * @param idType the type of an organization's id
 */
export function catalogFaults(
  { file, tables }: Tenancy,
  all: readonly CatalogTable[],
  idType: string,
): FileFinding[] {
  const find = createFindTable(all)
  const known = [...tables.values()].map(declared => ({ declared, table: tableOf(declared, find) }))
  const ofOrganizations = new Set(
    known.flatMap(({ declared: { tenancy }, table }) => {
      if (table === undefined || tenancy.kind === 'shared') return []
      const keys = tenancy.kind === 'tenant' ? keysOf(table, tenancy.column) : []
      return [tableKey(table), ...keys.map(tableKey)]
    }),
  )
  return known.flatMap(({ declared, table }) => {
    const add = (message: string) => ({ file, line: declared.line, message })
    if (table === undefined) return add(noTable(declared, all))
    // why: without the right to read a table, its columns are unknown
    if (table.columns.length === 0) return []
    const parent = declared.tenancy.kind === 'child' && tables.get(declared.tenancy.parent)
    return [
      ...columnFaults(declared, table, idType),
      ...(parent ? keyFaults(declared, parent, tableOf(parent, find)) : []),
      ...sharedFaults(declared, table, ofOrganizations),
    ].map(add)
  })
}

/** The most frequent type of the columns of organizations. */
export function idTypeIn({ tables }: Tenancy, all: readonly CatalogTable[]): string {
  const find = createFindTable(all)
  const types = [...tables.values()].flatMap(declared => {
    const { tenancy } = declared
    const own = tableOf(declared, find)?.columns.find(
      ({ name }) => tenancy.kind === 'tenant' && name === tenancy.column,
    )
    return own === undefined ? [] : [plainType(own.type)]
  })
  // why: a cast to `character` truncates to a length of 1
  return (mostOf(types) ?? 'text').replace(/^character$/, 'bpchar')
}

export function tableOf(
  { schema, table: name }: DeclaredTable,
  find: FindTable,
): CatalogTable | undefined {
  return find({ schema, name })
}

/** The foreign keys on this column alone. */
function keysOf({ foreignKeys }: CatalogTable, column: string): ForeignKey[] {
  return foreignKeys.filter(({ columns }) => columns.length === 1 && columns[0] === column)
}

function noTable({ schema, table }: DeclaredTable, all: readonly CatalogTable[]): string {
  const name = written(schema, table)
  const others = all.filter(one => one.name === table)
  const names = all.map(one => written(one.schema, one.name))
  const [elsewhere] = others.map(one => `did you mean "${written(one.schema, one.name)}"?`)
  const suggestion = elsewhere ?? suggest(name, names)
  const expected = 'expected one of the product, with its schema'
  return `there is no table "${name}", ${suggestion.startsWith('did') ? suggestion : expected}`
}

function written(schema: string, name: string): string {
  return schema === 'public' ? name : `${schema}.${name}`
}

function columnFaults(
  { name, tenancy, columns = [] }: DeclaredTable,
  table: CatalogTable,
  idType: string,
): string[] {
  const own = tenancy.kind === 'tenant' ? [tenancy.column] : []
  const links = tenancy.kind === 'child' ? tenancy.links.map(({ column }) => column) : []
  const missing = [...own, ...links, ...columns].flatMap(column => noColumn(name, column, table))
  const column = table.columns.find(one => own.includes(one.name))
  if (column === undefined || isIdColumn(column, { type: idType })) return missing
  return [
    ...missing,
    `${name}.${column.name} is ${column.type}, expected ${idType} as the organization's id is`,
  ]
}

function keyFaults(
  { tenancy }: DeclaredTable,
  parent: DeclaredTable,
  table: CatalogTable | undefined,
): string[] {
  if (tenancy.kind !== 'child' || table === undefined || table.columns.length === 0) return []
  return tenancy.links.flatMap(({ key }) => noColumn(parent.name, key, table))
}

function noColumn(table: string, column: string, { columns }: CatalogTable): string[] {
  const names = columns.map(({ name }) => name)
  if (names.includes(column)) return []
  return [`${table} has no column "${column}", ${suggest(column, names)}`]
}

/** @param ofOrganizations keys of tables whose rows belong to organizations, and of the table of organizations */
function sharedFaults(
  { name, tenancy, because }: DeclaredTable,
  { foreignKeys }: CatalogTable,
  ofOrganizations: ReadonlySet<string>,
): string[] {
  if (tenancy.kind !== 'shared' || because !== undefined) return []
  const key = foreignKeys.find(one => one.isRequired && ofOrganizations.has(tableKey(one)))
  if (key === undefined) return []
  const columns = key.columns.join(', ')
  return [
    `${name} is shared, but each row refers by ${columns} to ${key.name}, whose rows belong to organizations, expected its column or its parent, or because: with the reason`,
  ]
}
