/** Proposes whose rows the tables are, by keys, by columns of views and by names. Executes no queries. */
import {
  isSystemName,
  MAX_LEVELS,
  type DeclaredTable,
  type TableTenancy,
  type Tenancy,
} from '../../definitions/tenancy.ts'
import { rejectionOf } from '../../definitions/rejected-functions.ts'
import { withParents } from '../../definitions/tenant-rows.ts'
import { tableKey, type CatalogTable, type ViewSource } from '../sql/catalog-tables.ts'
import { namedColumns, organizationColumns, type KeysOf } from './organization-columns.ts'
import type { OrganizationKey } from './organization-key.ts'
import { linesFor, renamed } from './proposed-line.ts'

/** A line of `tenancy.yaml`. */
export interface Choice {
  readonly table: CatalogTable
  readonly line: DeclaredTable
  /** Whether no person must decide. */
  readonly isDecided: boolean
  readonly reason: string | undefined
  /** Other ways to organizations, if it is decided. */
  readonly others: readonly TableTenancy[]
}

/** A table whose rows belong to organizations. */
interface Owned {
  readonly line: DeclaredTable
  /** The number of parents above it. */
  readonly level: number
  readonly isDecided: boolean
}

interface ParentLink {
  readonly tenancy: TableTenancy
  readonly level: number
  /** The table on whose line it depends. */
  readonly parent: Owned
  /** Why a person must decide. */
  readonly doubt: string | undefined
}

const SEVERAL = 'columns of several organizations: choose one'
const NAMED = 'by its name, without a foreign key'
const TOO_DEEP = `more than ${MAX_LEVELS} levels below a table of organizations`
export const NO_KEY = 'no key to an organization'

/**
 * @param all tables of the product
 * @param declared tables for which no line is proposed
 * @returns lines for tables that the role may read, and those of declared children
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
  const byKey = new Map(tables.map(table => [tableKey(table), table]))
  const keysOf: KeysOf = ({ foreignKeys, inherits }) =>
    foreignKeys.concat(inherits.flatMap(one => byKey.get(tableKey(one))?.foreignKeys ?? []))
  const kept = new Map(
    [...declared.values()].map(line => [tableKey({ ...line, name: line.table }), line]),
  )
  const open = tables.filter(
    table =>
      !table.isPartition && !isSystemName(table.name, table.schema) && !kept.has(tableKey(table)),
  )
  const choices = new Map(open.map(table => [table, new Array<Omit<Choice, 'others'>>()]))
  const owned = new Map<string, Owned>()
  for (const [key, line] of kept) {
    const table = byKey.get(key)
    if (table !== undefined && line.tenancy.kind === 'child')
      choices.set(table, [{ table, line, isDecided: true, reason: undefined }])
    const level = withParents(line, declared).length - 1
    if (line.tenancy.kind !== 'shared') owned.set(key, { line, level, isDecided: true })
  }
  // why: a table that inherits may have rows of the same key
  const inherited = new Set(
    tables.flatMap(one => (one.isPartition ? [] : one.inherits.map(tableKey))),
  )
  /** The line of the table that a view reads, or the table as its parent. */
  const linkOfView = (source: ViewSource, reads: readonly unknown[]): ParentLink[] => {
    const { shown, isAlone, functions } = source
    const [parent, table] = [owned.get(tableKey(source)), byKey.get(tableKey(source))]
    if (parent === undefined || table === undefined) return []
    const { line, level } = parent
    // why: such functions may read other rows
    const isRow =
      isAlone &&
      reads.length === 1 &&
      functions.every(one => (rejectionOf(one) ?? { clock: true }).clock === true)
    const doubt = isRow ? undefined : `its query may combine rows of ${table.name} with others`
    const ofLine = renamed(line.tenancy, shown)
    if (ofLine !== undefined) return [{ tenancy: ofLine, level, parent, doubt }]
    const key = table.primaryKey
    const isKey = key.length > 0 && has(table, key) && !inherited.has(tableKey(table))
    const ofKey = isKey ? renamed(childOf(line.name, key, key), shown) : undefined
    return ofKey ? [{ tenancy: ofKey, level: level + 1, parent, doubt }] : []
  }
  const linksOf = (table: CatalogTable) => {
    const links = keysOf(table).flatMap(({ columns, keys, isRequired, ...named }): ParentLink[] => {
      const [parent, above] = [owned.get(tableKey(named)), byKey.get(tableKey(named))]
      if (parent === undefined || above === undefined || above === table) return []
      if (!has(table, columns) || !has(above, keys)) return []
      const doubt = isRequired ? undefined : `${columns.join(', ')} may be null`
      const tenancy = childOf(parent.line.name, columns, keys)
      return [{ tenancy, level: parent.level + 1, parent, doubt }]
    })
    return links.concat(table.sources.flatMap(one => linkOfView(one, table.reads)))
  }
  /** A table of organizations that it refers to, or that its query reads. */
  const sourceOf = (table: CatalogTable, seen = new Set([table])): string | undefined => {
    const found = [...keysOf(table), ...table.reads].find(one => owned.has(tableKey(one)))
    if (found !== undefined) return owned.get(tableKey(found))!.line.name
    for (const key of table.reads.map(tableKey)) {
      const read = byKey.get(key)
      if (read === undefined || seen.has(read) || kept.has(key)) continue
      const source = sourceOf(read, seen.add(read))
      if (source !== undefined) return source
    }
    return undefined
  }
  const lineOf = linesFor(open, declared)
  const choose = (
    table: CatalogTable,
    tenancies: readonly TableTenancy[],
    isDecided: boolean,
    reason?: string,
  ) => {
    const lines = tenancies.map(tenancy => lineOf(table, tenancy))
    choices.get(table)!.push(...lines.map(line => ({ table, line, isDecided, reason })))
    return { line: lines[0]!, isDecided: isDecided && table.columns.length > 0 }
  }

  const owners = organizationColumns(tables, id, kept, keysOf)
  for (const table of open) {
    const columns = [...owners.get(tableKey(table))!].filter(column => has(table, [column]))
    if (columns.length === 0) continue
    const isOfKey = keysOf(table).some(key => key.columns.includes(columns[0]!))
    const isNamed = !isOfKey && tableKey(table) !== id.table
    // why: its query may compute a column of that name, and shows where it is from
    if (isNamed && table.view !== null) continue
    const reason = columns.length > 1 ? SEVERAL : isNamed ? NAMED : undefined
    const chosen = choose(table, columns.map(tenantBy), columns.length === 1, reason)
    owned.set(tableKey(table), { ...chosen, level: 0 })
  }
  const rest = () => open.filter(table => !owned.has(tableKey(table)))
  for (let level = 0; level <= MAX_LEVELS;) {
    const found = rest().flatMap(table => {
      const links = linksOf(table).filter(one => one.doubt === undefined && one.level <= level)
      const link = links.find(one => one.parent.isDecided) ?? links[0]
      return link === undefined ? [] : [{ table, ...link }]
    })
    for (const { table, tenancy, parent } of found) {
      const reason = parent.isDecided
        ? undefined
        : `${parent.line.name} is not decided or not readable`
      owned.set(tableKey(table), { ...choose(table, [tenancy], parent.isDecided, reason), level })
    }
    // why: a view of a view has a line of the same level
    if (found.length === 0) level++
  }
  for (const table of rest()) {
    for (const { tenancy, level, doubt } of linksOf(table))
      choose(table, [tenancy], false, level > MAX_LEVELS ? TOO_DEEP : doubt)
    const named = namedColumns(table, id, keysOf, id.names).map(tenantBy)
    const isTraced = table.view !== null || keysOf(table).length > 0
    // why: columns may be named after the primary key of a parent
    const sameNames = [...owned].flatMap(([key, { line, level, isDecided }]) => {
      const names = byKey.get(key)?.primaryKey ?? []
      const isNamed = names.length > 0 && names.join() !== 'id' && has(table, names)
      return isNamed && isDecided && level < MAX_LEVELS ? [childOf(line.name, names, names)] : []
    })
    const guesses = [...named, ...(isTraced ? [] : sameNames)]
    if (guesses.length > 0) choose(table, guesses, false, NAMED)
    if (choices.get(table)!.length > 0) continue
    const source = sourceOf(table)
    const reason = `${table.view === null ? 'refers to' : 'a view over'} ${source}, expected its column`
    choose(table, [{ kind: 'shared' }], false, source === undefined ? NO_KEY : reason)
  }
  const ofReadable = [...choices.values()].flat().filter(({ table }) => table.columns.length > 0)
  return ofReadable.map(({ table, line, isDecided, reason }) => {
    const links = isDecided ? linksOf(table).filter(({ parent }) => parent.isDecided) : []
    const others = links.filter(link => !isKnown(line, link.tenancy, link.parent.line))
    return { table, line, isDecided, reason, others: others.map(({ tenancy }) => tenancy) }
  })
}

/** Whether the role may read these columns, if it may read any. */
function has({ columns }: CatalogTable, names: readonly string[]): boolean {
  return columns.length === 0 || names.every(name => columns.some(one => one.name === name))
}

function tenantBy(column: string): TableTenancy {
  return { kind: 'tenant', column }
}

function childOf(
  parent: string,
  columns: readonly string[],
  keys: readonly string[],
): TableTenancy {
  return {
    kind: 'child',
    parent,
    links: columns.map((column, at) => ({ column, key: keys[at]! })),
  }
}

/** Whether the line is this link, or the link itself carries the line's organization. */
function isKnown(
  { tenancy }: DeclaredTable,
  other: TableTenancy,
  { tenancy: parent }: DeclaredTable,
): boolean {
  if (tenancy.kind !== 'tenant' || other.kind !== 'child')
    return JSON.stringify(tenancy) === JSON.stringify(other)
  return other.links.some(
    ({ column, key }) =>
      column === tenancy.column && parent.kind === 'tenant' && key === parent.column,
  )
}
