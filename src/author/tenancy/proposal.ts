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
import { createIsOrganization, type OrganizationKey } from './organization-key.ts'
import { keyOf, linesFor } from './proposed-line.ts'

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

const NAMED = 'by its name, without a foreign key'
export const NO_KEY = 'no key to an organization'

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
  const kept = new Map([...declared.values()].map(line => [keyOf(line), line]))
  const open = all
    .filter(
      table =>
        !table.isPartition && !isSystemName(table.name, table.schema) && !kept.has(tableKey(table)),
    )
    // why: names of `public` are those that definitions use
    .toSorted((a, b) => Number(b.schema === 'public') - Number(a.schema === 'public'))
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
    isDecided = reason === undefined,
  ) => {
    const all = tenancies.map(one => ({ table, line: lineOf(table, one), isDecided, reason }))
    choices.set(table, all)
    return { line: all[0]!.line, isDecided: isDecided && table.columns.length > 0 }
  }
  /** Ways to parents, by foreign keys. */
  const linksOf = (table: CatalogTable) =>
    table.foreignKeys.flatMap(({ columns, keys, isRequired, ...target }) => {
      const parent = owned.get(tableKey(target))
      if (parent === undefined || tableKey(target) === tableKey(table)) return []
      const links = columns.map((column, at) => ({ column, key: keys[at]! }))
      const tenancy: TableTenancy = { kind: 'child', parent: parent.line.name, links }
      return [{ tenancy, parent, isRequired, columns }]
    })

  const isOrganization = createIsOrganization(all, id, kept)
  /** Columns with names of an organization's id that refer to no table. */
  const namedIn = ({ columns, foreignKeys }: CatalogTable) => {
    const referring = new Set(foreignKeys.flatMap(key => key.columns))
    return columns.flatMap(({ name }) => (id.names.has(name) && !referring.has(name) ? name : []))
  }
  for (const table of open) {
    const key = tableKey(table)
    const own = [...table.foreignKeys.flatMap(({ columns }) => columns), id.column]
    const referring = [...new Set(own)].filter(column => isOrganization(key, column))
    const named = namedIn(table).filter(name => name === id.name)
    const columns = referring.length === 0 ? named : referring
    if (columns.length === 0 || table.isView) continue
    const reason = columns.length > 1 ? SEVERAL : referring.length === 0 ? NAMED : undefined
    const chosen = choose(table, columns.map(tenantBy), reason, columns.length === 1)
    owned.set(key, { ...chosen, level: 0 })
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
    const [first, ...more] = linksOf(table)
    const named = namedIn(table)
    const tooDeep = `more than ${MAX_LEVELS} levels below a table of organizations`
    if (first !== undefined)
      choose(
        table,
        [first, ...more].map(({ tenancy }) => tenancy),
        first.isRequired ? tooDeep : `${first.columns.join(', ')} may be null`,
      )
    else if (named.length > 0) choose(table, named.map(tenantBy), NAMED)
    else choose(table, [{ kind: 'shared' }], table.isView ? VIEW : NO_KEY)
  }
  return open.flatMap(table => (table.columns.length === 0 ? [] : (choices.get(table) ?? [])))
}

const SEVERAL = 'columns of several organizations: choose one'
const VIEW = 'a view, expected its column'

function tenantBy(column: string): TableTenancy {
  return { kind: 'tenant', column }
}
