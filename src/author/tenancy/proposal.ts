/** Proposes whose rows the tables are, by keys and by names of columns. Executes no queries. */
import {
  isSystemName,
  MAX_LEVELS,
  type DeclaredTable,
  type TableTenancy,
  type Tenancy,
} from '../../definitions/tenancy.ts'
import { tableKey, type CatalogTable, type ForeignKey } from '../sql/catalog-tables.ts'
import { namedColumns, organizationColumns, type KeysOf } from './organization-columns.ts'
import type { OrganizationKey } from './organization-key.ts'
import { linesFor } from './proposed-line.ts'

/** A line of `tenancy.yaml`. */
export interface Choice {
  readonly table: CatalogTable
  readonly line: DeclaredTable
  /** Whether no person must decide. */
  readonly isDecided: boolean
  readonly reason: string | undefined
  /** Other ways to organizations, if it is decided. */
  readonly others: readonly ChildTenancy[]
}

type ChildTenancy = TableTenancy & { readonly kind: 'child' }

/** A table whose rows belong to organizations. */
interface Owned {
  readonly line: DeclaredTable
  /** The number of parents above it. */
  readonly level: number
  readonly isDecided: boolean
}

interface ParentLink extends Pick<ForeignKey, 'columns' | 'isRequired'> {
  readonly tenancy: ChildTenancy
  readonly parent: Owned
}

const SEVERAL = 'columns of several organizations: choose one'
const NAMED = 'by its name, without a foreign key'
const TOO_DEEP = `more than ${MAX_LEVELS} levels below a table of organizations`
export const NO_KEY = 'no key to an organization'

/**
 * @param all tables of the product
 * @param declared tables that are not proposed
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
  const owned = new Map<string, Owned>()
  for (const [key, line] of kept) {
    const level = levelOf(line, declared)
    if (line.tenancy.kind !== 'shared') owned.set(key, { line, level, isDecided: true })
  }
  const linksOf = (table: CatalogTable) =>
    keysOf(table).flatMap(({ columns, keys, isRequired, ...named }): ParentLink[] => {
      const [parent, above] = [owned.get(tableKey(named)), byKey.get(tableKey(named))]
      if (parent === undefined || above === undefined || above === table) return []
      if (!has(table, columns) || !has(above, keys)) return []
      return [{ parent, columns, isRequired, tenancy: childOf(parent.line.name, columns, keys) }]
    })
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
  const choices = new Map(open.map(table => [table, new Array<Omit<Choice, 'others'>>()]))
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
    const reason = columns.length > 1 ? SEVERAL : isNamed ? NAMED : undefined
    const chosen = choose(table, columns.map(tenantBy), columns.length === 1, reason)
    owned.set(tableKey(table), { ...chosen, level: 0 })
  }
  const rest = () => open.filter(table => !owned.has(tableKey(table)))
  for (let level = 1; level <= MAX_LEVELS; level++) {
    const found = rest().flatMap(table => {
      const links = linksOf(table).filter(one => one.isRequired && one.parent.level < level)
      const link = links.find(one => one.parent.isDecided) ?? links[0]
      return link === undefined ? [] : [{ table, ...link }]
    })
    for (const { table, tenancy, parent } of found) {
      const reason = parent.isDecided
        ? undefined
        : `${tenancy.parent} is not decided or not readable`
      owned.set(tableKey(table), { ...choose(table, [tenancy], parent.isDecided, reason), level })
    }
  }
  for (const table of rest()) {
    for (const { tenancy, parent, columns } of linksOf(table)) {
      const isTooDeep = parent.level >= MAX_LEVELS
      choose(table, [tenancy], false, isTooDeep ? TOO_DEEP : `${columns.join(', ')} may be null`)
    }
    const named = namedColumns(table, id, keysOf, id.names).map(tenantBy)
    const guesses = [...named, ...(keysOf(table).length > 0 ? [] : sameNames(table, owned, byKey))]
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

function levelOf({ tenancy }: DeclaredTable, tables: Tenancy['tables']): number {
  return tenancy.kind === 'child' ? 1 + levelOf(tables.get(tenancy.parent)!, tables) : 0
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
): ChildTenancy {
  return { kind: 'child', parent, links: columns.map((column, at) => ({ column, key: keys[at]! })) }
}

/** Parents whose primary key is in columns of the same names, for views and tables without foreign keys. */
function sameNames(
  table: CatalogTable,
  owned: ReadonlyMap<string, Owned>,
  byKey: ReadonlyMap<string, CatalogTable>,
): ChildTenancy[] {
  return [...owned].flatMap(([key, { line, level, isDecided }]) => {
    const names = byKey.get(key)?.primaryKey ?? []
    const isNamed = names.length > 0 && names.join() !== 'id' && has(table, names)
    return isNamed && isDecided && level < MAX_LEVELS ? [childOf(line.name, names, names)] : []
  })
}

/** Whether the line is this link, or the link itself carries the line's organization. */
function isKnown(
  { tenancy }: DeclaredTable,
  other: ChildTenancy,
  { tenancy: parent }: DeclaredTable,
): boolean {
  if (tenancy.kind !== 'tenant') return JSON.stringify(tenancy) === JSON.stringify(other)
  return other.links.some(
    ({ column, key }) =>
      column === tenancy.column && parent.kind === 'tenant' && key === parent.column,
  )
}
