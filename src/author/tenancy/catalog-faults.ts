/** Errors in lines of `tenancy.yaml`, by the database's catalog. */
import type { FileFinding } from '../../definitions/findings.ts'
import type { DeclaredTable, Tenancy } from '../../definitions/tenancy.ts'
import { nearest, suggest } from '../../model/spelling.ts'
import {
  createFindTable,
  plainType,
  tableKey,
  type CatalogTable,
  type FindTable,
} from '../sql/catalog-tables.ts'
import { createIsOrganization, isIdType, mostOf, organizationKey } from './organization-key.ts'
import { NO_KEY, proposeTenancy, type Choice } from './proposal.ts'
import { columnsOf, keyOf, tenancyText } from './proposed-line.ts'

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
  const tenants = [...tables.values()].filter(({ tenancy }) => tenancy.kind === 'tenant')
  const ofTenants = tenants.flatMap(({ schema, table: name, tenancy }) =>
    columnsOf(tenancy).map(column => ({ schema, name, column })),
  )
  const id = organizationKey(all, ofTenants)
  const byKey = new Map(tenants.map(line => [keyOf(line), line]))
  const isOrganization = createIsOrganization(all, id, byKey)
  const sure = new Map([...tables].filter(([, declared]) => isSure(declared)))
  const choices = proposeTenancy(all, id, sure).filter(({ reason }) => reason !== NO_KEY)
  const proposed = new Map(choices.map(choice => [tableKey(choice.table), choice]))
  return [...tables.values()].flatMap((declared): FileFinding[] => {
    const { name, tenancy, line, columns = [] } = declared
    const add = (message: string) => ({ file, line, message })
    const table = tableOf(declared, find)
    if (table === undefined) return [add(noTable(declared, all))]
    // why: without the right to read a table, its columns are unknown
    if (table.columns.length === 0) return []
    const own = columnsOf(tenancy)
    const messages = [...own, ...columns].flatMap(column => noColumn(name, column, table))
    if (tenancy.kind === 'tenant') {
      const { column } = tenancy
      const type = table.columns.find(one => one.name === column)?.type ?? idType
      if (!isIdType(type, idType))
        messages.push(
          `${name}.${column} is ${type}, expected ${idType} as the organization's id is`,
        )
      const key = table.foreignKeys.find(one => one.columns.includes(column))
      const expected = `expected a column of ${id.table?.replace(/^public\./, '') ?? 'organizations'}`
      if (key !== undefined && !isOrganization(keyOf(declared), column))
        messages.push(`${name}.${column} refers to ${key.name}, ${expected}`)
    } else if (tenancy.kind === 'child') {
      const parent = tables.get(tenancy.parent)!
      const found = tableOf(parent, find)
      messages.push(...tenancy.links.flatMap(({ key }) => noColumn(parent.name, key, found)))
    }
    if (!isSure(declared)) messages.push(...sharedFaults(declared, proposed.get(tableKey(table))))
    return messages.map(add)
  })
}

/** Whether its line says whose rows they are, or why they are not what they seem. */
function isSure({ tenancy, because }: DeclaredTable): boolean {
  return tenancy.kind !== 'shared' || because !== undefined
}

/** The most frequent type of the columns of organizations. */
export function idTypeIn({ tables }: Tenancy, all: readonly CatalogTable[]): string {
  const find = createFindTable(all)
  const types = [...tables.values()].flatMap(declared => {
    const own = declared.tenancy.kind === 'tenant' ? columnsOf(declared.tenancy) : []
    const columns = tableOf(declared, find)?.columns.filter(({ name }) => own.includes(name)) ?? []
    return columns.map(({ type }) => plainType(type))
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

function noTable({ schema, table }: DeclaredTable, all: readonly CatalogTable[]): string {
  const [name = '', ...names] = [{ schema, name: table }, ...all].map(one =>
    tableKey(one).replace(/^public\./, ''),
  )
  const likely = nearest(name, names)
  const expected = 'expected one of the product, with its schema'
  return `there is no table "${name}", ${likely === undefined ? expected : `did you mean "${likely}"?`}`
}

/** @param found undefined, or without columns, if they are unknown */
function noColumn(table: string, column: string, found: CatalogTable | undefined): string[] {
  const names = found?.columns.map(({ name }) => name) ?? []
  if (names.length === 0 || names.includes(column)) return []
  return [`${table} has no column "${column}", ${suggest(column, names)}`]
}

/** @param choice what `svodka tenancy` would propose; undefined without a key to an organization */
function sharedFaults({ name }: DeclaredTable, choice: Choice | undefined): string[] {
  if (choice === undefined) return []
  const { reason = '', line } = choice
  const proposed = `svodka tenancy proposes "${tenancyText(line.tenancy)}"${reason && ` (${reason})`}, expected that`
  const found = line.tenancy.kind === 'shared' ? reason : proposed
  return [`${name} is shared, but ${found}, or because: with the reason`]
}
