/**
 * Synthetic rows for the tables that a definition reads, where the data cannot show a fault: two organizations, ties,
 * nulls and negative numbers where constraints allow them, several rows per foreign key. CTEs hide the tables.
 */
import { readQuery } from '../sql/query.ts'
import { tableKey, type CatalogTable } from '../sql/catalog-tables.ts'
import { namedTexts } from './known-values.ts'
import {
  hashOf,
  syntheticValue,
  uniqueValue,
  textsFor,
  type SyntheticValue,
} from './synthetic-values.ts'
import { cteOf, meetingChecks, SyntheticRowsError } from './synthetic-records.ts'
import type { CheckedOrganization } from './questions.ts'
import { renameTables, shadowName } from './shadows.ts'
import type { PreparedSubject } from './subject.ts'
import { tableReads } from './table-reads.ts'

export interface SyntheticRows {
  readonly tables: readonly CatalogTable[]
  /** `svodka_123 as (...)`, each after those that it reads. */
  readonly ctes: readonly string[]
}

interface Row {
  /** The index of its organization; undefined for a shared row. */
  organization: number | undefined
  readonly values: Record<string, SyntheticValue>
}

interface Parent {
  readonly columns: readonly string[]
  readonly references: readonly string[]
  readonly rows: readonly Row[]
}

/** More than needed: checks and unique keys reject many. */
const CANDIDATES = 480
const ROWS = 48
/** Children refer to few parents, so that a parent has several. */
const MOST_PARENTS = 12

/** @throws SyntheticRowsError if no rows meet all constraints. */
export async function makeRows(
  { draft, product, session, parse }: PreparedSubject,
  organizations: readonly CheckedOrganization[],
): Promise<SyntheticRows> {
  const named = namedTexts(draft.query)
  /** While a table is being built, it has no rows here. */
  const made = new Map<CatalogTable, readonly Row[]>()
  const ctes = new Map<CatalogTable, string>()

  async function rowsOf(table: CatalogTable): Promise<readonly Row[]> {
    const known = made.get(table)
    if (known !== undefined) return known
    made.set(table, [])
    try {
      const rows = await makeTable(table)
      made.set(table, rows)
      return rows
    } catch (error) {
      made.delete(table)
      throw error
    }
  }

  async function makeTable(table: CatalogTable): Promise<Row[]> {
    const parents: Parent[] = []
    for (const { columns, keys: references, ...name } of table.foreignKeys) {
      const parent = product.findTable(name)
      // why: if no rows can be made for a parent, its foreign key is ignored
      const rows = parent && (await rowsOf(parent).catch(undefinedIfImpossible))
      if (rows !== undefined) parents.push({ columns, references, rows })
    }
    const keys = keysOf(table, product.tenancies.organizationColumn)
    const numbers = Array.from({ length: CANDIDATES }, (_, number) => number)
    const candidates = numbers.flatMap(number => candidate(table, number, parents, keys) ?? [])
    const values = candidates.map(row => row.values)
    const indexes = await meetingChecks(session, table, values)
    const meeting = indexes.flatMap(index => candidates[index] ?? [])
    const rows = withUniqueKeys(keys, meeting)
    if (rows.length > 0) return rows
    throw new SyntheticRowsError(`${table.name} (found no row that meets its constraints)`)
  }

  /** Undefined if a required foreign key has no row to refer to. */
  function candidate(
    table: CatalogTable,
    number: number,
    parents: readonly Parent[],
    keys: Keys,
  ): Row | undefined {
    const hash = (...words: string[]) => hashOf(table.name, number, ...words)
    const values: Record<string, SyntheticValue> = {}
    const row: Row = { organization: undefined, values }
    const isSame = (one: CatalogTable) => tableKey(one) === tableKey(table)
    const own = product.tables.find(isSame)?.organizationColumn
    if (own !== undefined) {
      const isNumber = table.columns.some(({ name, category }) => name === own && category === 'N')
      const { id } = organizations[number % 2]!
      row.organization = number % 2
      values[own] = isNumber ? Number(id) : id
    }
    const isNullable = (name: string) =>
      !table.columns.some(column => column.name === name && column.isNotNull)

    for (const { columns, references, rows } of parents) {
      if (columns.some(name => values[name] === null)) continue
      const fitting = rows.filter(
        parent =>
          [parent.organization ?? row.organization, undefined].includes(row.organization) &&
          columns.every((name, at) =>
            [undefined, parent.values[references[at] ?? '']].includes(values[name]),
          ),
      )
      const parent = fitting[hash(...columns) % Math.min(fitting.length, MOST_PARENTS)]
      const free = columns.filter(name => values[name] === undefined)
      const skips = free.length > 0 && free.every(isNullable) && hash('null', ...columns) % 5 === 0
      if (parent !== undefined && !skips) {
        columns.forEach((name, at) => (values[name] = parent.values[references[at] ?? ''] ?? null))
        row.organization ??= parent.organization
      } else if (free.some(isNullable))
        for (const name of free.filter(isNullable)) values[name] = null
      else return undefined
    }

    const { timeZone } = organizations[row.organization ?? 0]!
    for (const column of table.columns) {
      const { name, isNotNull, generated, type } = column
      if (values[name] !== undefined || generated !== null) continue
      const texts = textsFor(table, column, named)
      const isKey = keys.some(key => key.includes(name))
      const value =
        (isKey ? uniqueValue(column, number) : undefined) ??
        syntheticValue(column, hash(name), timeZone, texts)
      if (!isNotNull && (value === undefined || hash('null', name) % 4 === 0)) values[name] = null
      else if (value === undefined)
        throw new SyntheticRowsError(`${table.name} (no value of type ${type} is known)`)
      else values[name] = value
    }
    return row
  }

  async function add(table: CatalogTable): Promise<void> {
    if (ctes.has(table)) return
    if (table.view === null) {
      const values = (await rowsOf(table)).map(row => row.values)
      ctes.set(table, cteOf(table, values))
      return
    }
    const sql = await parse({ text: table.view.replace(/;\s*$/, ''), placeholders: [] })
    const query = readQuery(sql.statements[0]?.tree)
    const reads = query === undefined ? [] : tableReads({ query, text: sql.text })
    const inside = reads.flatMap(read => product.findTable(read) ?? [])
    if (query === undefined || inside.length < reads.length) {
      throw new SyntheticRowsError(`${table.name} (a view of what may not be read)`)
    }
    for (const one of inside) await add(one)
    ctes.set(table, `${shadowName(table)} as (${renameTables(sql, inside)})`)
  }

  for (const read of tableReads(draft)) {
    const table = product.findTable(read)
    // why: tables of PostgreSQL's catalogs have rows
    if (table !== undefined) await add(table)
  }
  // why: a parent determines the organization of a child's rows, even if the definition does not read it
  for (const table of made.keys()) await add(table)
  return { tables: [...ctes.keys()], ctes: [...ctes.values()] }
}

function undefinedIfImpossible(error: unknown): undefined {
  if (!(error instanceof SyntheticRowsError)) throw error
}

type Keys = ReadonlyArray<readonly string[]>

/**
 * The columns that are unique in synthetic rows. Dates are left out of a key, so that at most one row is valid at any
 * time. If the table has no unique key, its id column is one.
 */
function keysOf(
  { columns, uniqueKeys, partialKeys }: CatalogTable,
  organizationColumn: string,
): Keys {
  const unique = [...uniqueKeys, ...partialKeys]
  if (unique.length === 0) {
    const id = columns.find(({ name }) => /(^|_)id$/.test(name) && name !== organizationColumn)
    return id === undefined ? [] : [[id.name]]
  }
  const isLasting = (name: string) =>
    !columns.some(column => column.name === name && /^(date|timestamp)|range$/.test(column.type))
  return unique
    .filter(key => key.length > 0)
    .map(key => (key.some(isLasting) ? key.filter(isLasting) : key))
}

function withUniqueKeys(keys: Keys, rows: readonly Row[]): Row[] {
  const usedKeys = new Set<string>()
  const unique = rows.filter(({ values }) => {
    const own = keys.map((key, at) => JSON.stringify([at, key.map(name => values[name])]))
    if (own.some(key => usedKeys.has(key))) return false
    for (const key of own) usedKeys.add(key)
    return true
  })
  return unique.slice(0, ROWS)
}
