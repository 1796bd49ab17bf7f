/** Proposes whose rows the tables are, by keys and by names. Executes no queries. */
import {
  isSystemName,
  MAX_LEVELS,
  type DeclaredTable,
  type TableTenancy,
  type Tenancy,
} from '../../definitions/tenancy.ts'
import { withParents } from '../../definitions/tenant-rows.ts'
import { tableKey, type CatalogTable } from '../sql/catalog-tables.ts'
import { isIdType, organizationColumns, type OrganizationKey } from './organization-key.ts'
import { linesFor } from './proposed-line.ts'

/** A line of `tenancy.yaml`. */
export interface Choice {
  readonly table: CatalogTable
  readonly line: DeclaredTable
  /** Whether no person must decide. */
  readonly isDecided: boolean
  readonly reason: string | undefined
}

/** A table whose rows belong to organizations. */
interface Owned {
  readonly line: DeclaredTable
  /** The number of parents above it. */
  readonly level: number
  readonly isDecided: boolean
}

const VIEW = 'a view, expected its column'

/**
 * @param all tables of the product
 * @param declared tables for which no line is proposed
 * @returns lines for tables that the role may read
 */
export function proposeTenancy(
  all: readonly CatalogTable[],
  id: OrganizationKey,
  declared: Tenancy['tables'],
): Choice[] {
  // why: names of `public` are those that definitions use
  const tables = all.toSorted(
    (a, b) => Number(b.schema === 'public') - Number(a.schema === 'public'),
  )
  const kept = new Map(
    [...declared.values()].map(line => [tableKey({ ...line, name: line.table }), line]),
  )
  const open = tables.filter(
    table =>
      !table.isPartition && !isSystemName(table.name, table.schema) && !kept.has(tableKey(table)),
  )
  const lineOf = linesFor(open, declared)
  const choices = new Map<CatalogTable, Choice[]>()
  const owned = new Map<string, Owned>()
  for (const [key, line] of kept)
    if (line.tenancy.kind !== 'shared')
      owned.set(key, { line, level: withParents(line, declared).length - 1, isDecided: true })
  const choose = (
    table: CatalogTable,
    tenancies: readonly TableTenancy[],
    reason?: string,
    isDecided = tenancies.length === 1 && reason === undefined,
  ) => {
    const lines = tenancies.map(tenancy => lineOf(table, tenancy))
    choices.set(
      table,
      lines.map(line => ({ table, line, isDecided, reason })),
    )
    return { line: lines[0]!, isDecided: isDecided && table.columns.length > 0 }
  }
  /** Ways to parents, by foreign keys. */
  const linksOf = (table: CatalogTable) =>
    table.foreignKeys.flatMap(({ columns, keys, isRequired, ...target }) => {
      const parent = owned.get(tableKey(target))
      if (parent === undefined || tableKey(target) === tableKey(table)) return []
      if (!mayRead(table, columns)) return []
      const links = columns.map((column, at) => ({ column, key: keys[at]! }))
      const tenancy: TableTenancy = { kind: 'child', parent: parent.line.name, links }
      return [{ tenancy, parent, isRequired, columns }]
    })

  const owners = organizationColumns(tables, id, kept)
  for (const table of open) {
    const referring = [...owners.get(tableKey(table))!].filter(one => mayRead(table, [one]))
    const named = namedColumns(table, id).filter(name => name === id.name)
    const columns = referring.length > 0 ? referring : named
    if (columns.length === 0 || table.isView) continue
    const isByName = referring.length === 0
    const several = 'columns of several organizations: choose one'
    const reason = columns.length > 1 ? several : isByName ? NAMED : undefined
    const chosen = choose(table, columns.map(tenantBy), reason, columns.length === 1)
    owned.set(tableKey(table), { ...chosen, level: 0 })
  }
  const rest = () => open.filter(table => !owned.has(tableKey(table)))
  for (let level = 1; level <= MAX_LEVELS; level++) {
    for (const table of rest()) {
      const links = linksOf(table).filter(one => one.isRequired && one.parent.level < level)
      const link = links.find(one => one.parent.isDecided) ?? links[0]
      if (link === undefined) continue
      const { line, isDecided } = link.parent
      const reason = isDecided ? undefined : `${line.name} is not decided or not readable`
      owned.set(tableKey(table), { ...choose(table, [link.tenancy], reason), level })
    }
  }
  for (const table of rest()) {
    const links = linksOf(table)
    const named = namedColumns(table, id)
    const above = table.foreignKeys.flatMap(key => owned.get(tableKey(key)) ?? [])[0]
    const { columns = [], isRequired = false } = links[0] ?? {}
    const tooDeep = `more than ${MAX_LEVELS} levels below a table of organizations`
    if (links.length > 0)
      choose(
        table,
        links.map(({ tenancy }) => tenancy),
        isRequired ? tooDeep : `${columns.join(', ')} may be null`,
      )
    else if (named.length > 0) choose(table, named.map(tenantBy), NAMED)
    else {
      const reason = above ? `refers to ${above.line.name}, expected its column` : NO_KEY
      choose(table, [{ kind: 'shared' }], table.isView ? VIEW : reason)
    }
  }
  return open.flatMap(table => (table.columns.length === 0 ? [] : (choices.get(table) ?? [])))
}

const NAMED = 'by its name, without a foreign key'
export const NO_KEY = 'no key to an organization'

function tenantBy(column: string): TableTenancy {
  return { kind: 'tenant', column }
}

/** Columns with names of an organization's id that refer to no table. */
function namedColumns({ columns, foreignKeys }: CatalogTable, id: OrganizationKey): string[] {
  const referring = new Set(foreignKeys.flatMap(key => key.columns))
  return columns.flatMap(({ name, type }) =>
    id.names.has(name) && !referring.has(name) && isIdType(type, id.type) ? [name] : [],
  )
}

/** Whether the role may read these columns, if it may read any. */
function mayRead({ columns }: CatalogTable, names: readonly string[]): boolean {
  return columns.length === 0 || names.every(name => columns.some(one => one.name === name))
}
