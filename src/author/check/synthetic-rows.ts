/**
 * Synthetic rows for the tables that a definition reads, where the data cannot show a fault: ties, nulls and negative
 * numbers where constraints allow them, several rows per foreign key. All are of one organization.
 */
import { escapeIdentifier } from 'pg'
import type { RowsOf } from '../../definitions/tenant-rows.ts'
import { everySelect, readQuery } from '../sql/query.ts'
import { tableKey, type CatalogTable } from '../sql/catalog-tables.ts'
import { namedTexts } from './known-values.ts'
import {
  hashOf,
  syntheticValue,
  uniqueValue,
  textsFor,
  type SyntheticValue,
} from './synthetic-values.ts'
import { meetingChecks, selectOf, SyntheticRowsError } from './synthetic-records.ts'
import type { CheckedOrganization } from './questions.ts'
import type { PreparedSubject } from './subject.ts'

type Row = Record<string, SyntheticValue>

interface Parent {
  readonly columns: readonly string[]
  readonly references: readonly string[]
  readonly rows: readonly Row[]
}

/** More than needed: checks and unique keys reject many. Mostly the first of them are enough. */
const CANDIDATES = 480
const FIRST_CANDIDATES = 96
const ROWS = 48
const BATCHES = [
  [0, FIRST_CANDIDATES],
  [FIRST_CANDIDATES, CANDIDATES],
] as const
/** Children refer to few parents, so that a parent has several. */
const MOST_PARENTS = 12

/** @throws SyntheticRowsError if no rows meet all constraints. */
export async function makeRows(
  { definition, draft, product, session, parse }: PreparedSubject,
  { id, timeZone }: CheckedOrganization,
): Promise<RowsOf> {
  const named = namedTexts(draft.query)
  const own = product.ofOrganizations
  /** While a table is being built, it has no rows here. */
  const made = new Map<CatalogTable, readonly Row[]>()
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

  async function makeTable(table: CatalogTable): Promise<readonly Row[]> {
    const parents: Parent[] = []
    for (const { columns, keys: references, ...name } of table.foreignKeys) {
      const parent = product.findInCatalog(name)
      // why: if no rows can be made for a parent, its foreign key is ignored
      const rows = parent && (await rowsOf(parent).catch(undefinedIfImpossible))
      if (rows !== undefined) parents.push({ columns, references, rows })
    }
    const keys = keysOf(table, own.get(tableKey(table)))
    const candidate = candidatesOf(table, parents, keys)
    const takeUnique = uniqueRowsBy(keys)
    let rows: readonly Row[] = []
    for (const [from, to] of BATCHES) {
      const numbers = Array.from({ length: to - from }, (_, at) => from + at)
      const candidates = numbers.map(candidate).filter(row => row !== undefined)
      const indexes = await meetingChecks(session, table, candidates)
      rows = takeUnique(indexes.map(index => candidates[index]!))
      if (rows.length === ROWS) break
    }
    if (rows.length > 0) return rows
    throw new SyntheticRowsError(`${table.name} (found no row that meets its constraints)`)
  }

  /** @returns the candidate of a number; undefined if a required foreign key has no row to refer to */
  function candidatesOf(
    table: CatalogTable,
    parents: readonly Parent[],
    keys: Keys,
  ): (number: number) => Row | undefined {
    const ofOrganization = table.columns.filter(one => own.get(tableKey(table))?.has(one.name))
    const required = new Set(table.columns.flatMap(one => (one.isNotNull ? one.name : [])))
    const isNullable = (name: string) => !required.has(name)
    const keyColumns = new Set(keys.flat())
    const columnsToFill = table.columns
      .filter(({ generated }) => generated === null)
      .map(column => ({ column, texts: textsFor(table, column, named) }))

    return number => {
      const hash = (...words: string[]) => hashOf(table.name, number, ...words)
      const values: Row = {}
      for (const { name, category } of ofOrganization)
        values[name] = category === 'N' ? Number(id) : id

      for (const { columns, references, rows } of parents) {
        if (columns.some(name => values[name] === null)) continue
        const fitting = firstOf(rows, MOST_PARENTS, parent =>
          columns.every((name, at) => {
            const value = values[name]
            return value === undefined || value === parent[references[at] ?? '']
          }),
        )
        const parent = fitting[hash(...columns) % fitting.length]
        const free = columns.filter(name => values[name] === undefined)
        const isSkipped =
          free.length > 0 && free.every(isNullable) && hash('null', ...columns) % 5 === 0
        if (parent !== undefined && !isSkipped)
          columns.forEach((name, at) => (values[name] = parent[references[at] ?? ''] ?? null))
        else if (free.some(isNullable))
          for (const name of free.filter(isNullable)) values[name] = null
        else return undefined
      }

      for (const { column, texts } of columnsToFill) {
        const { name, isNotNull, type } = column
        if (values[name] !== undefined) continue
        const value =
          (keyColumns.has(name) ? uniqueValue(column, number) : undefined) ??
          syntheticValue(column, hash(name), timeZone, texts)
        if (!isNotNull && (value === undefined || hash('null', name) % 4 === 0)) values[name] = null
        else if (value === undefined)
          throw new SyntheticRowsError(`${table.name} (no value of type ${type} is known)`)
        else values[name] = value
      }
      return values
    }
  }

  async function selectFrom(table: CatalogTable): Promise<string> {
    if (table.view === null) return selectOf(table, await rowsOf(table))
    const sql = await parse({ text: table.view.replace(/;\s*$/, ''), placeholders: [] })
    const query = readQuery(sql.statements[0]?.tree)
    const relations = query === undefined ? [] : everySelect(query).flatMap(one => one.relations)
    const ctes = new Map<string, string>()
    for (const read of relations.filter(({ kind }) => kind === 'table')) {
      // why: a CTE hides no table that is named with its schema
      const inside = read.schema === undefined ? product.findInCatalog(read) : undefined
      if (inside === undefined)
        throw new SyntheticRowsError(
          `${table.name} (a view of ${read.name}, which may not be read or is in another schema)`,
        )
      ctes.set(inside.name, `${escapeIdentifier(inside.name)} as (${await selectFrom(inside)})`)
    }
    const withTables = ctes.size === 0 ? '' : `with ${[...ctes.values()].join(', ')} `
    return `${withTables}select * from (${sql.text}) as ${escapeIdentifier(table.name)}`
  }

  const selects = new Map<string, string>()
  for (const { name, schema, table: inSchema } of definition.source.tables) {
    const table = product.findInCatalog({ name: inSchema, schema })
    if (table !== undefined) selects.set(name, await selectFrom(table))
  }
  return ({ name, columns }) => {
    const list = columns?.map(column => escapeIdentifier(column)).join(', ') ?? '*'
    return [`select ${list} from (${selects.get(name)}) as own`]
  }
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
  ofOrganization: ReadonlySet<string> = new Set(),
): Keys {
  const unique = [...uniqueKeys, ...partialKeys]
  if (unique.length === 0) {
    const id = columns.find(({ name }) => /(^|_)id$/.test(name) && !ofOrganization.has(name))
    return id === undefined ? [] : [[id.name]]
  }
  const isLasting = (name: string) =>
    !columns.some(column => column.name === name && /^(date|timestamp)|range$/.test(column.type))
  return unique
    .filter(key => key.length > 0)
    .map(key => (key.some(isLasting) ? key.filter(isLasting) : key))
}

/** @returns a function that adds rows, and returns the first rows of all that differ in each key */
function uniqueRowsBy(keys: Keys): (more: readonly Row[]) => readonly Row[] {
  const usedKeys = new Set<string>()
  const unique: Row[] = []
  return more => {
    for (const row of more) {
      if (unique.length === ROWS) break
      const own = keys.map((key, at) => JSON.stringify([at, key.map(name => row[name])]))
      if (own.some(key => usedKeys.has(key))) continue
      for (const key of own) usedKeys.add(key)
      unique.push(row)
    }
    return unique
  }
}

function firstOf<T>(all: readonly T[], count: number, isWanted: (one: T) => boolean): T[] {
  const found: T[] = []
  for (const one of all) {
    if (found.length === count) break
    if (isWanted(one)) found.push(one)
  }
  return found
}
