/** The first and last day with rows in the tables of a definition: a period without rows shows no fault. */
import { escapeIdentifier, escapeLiteral } from 'pg'
import { localDate } from '../../definitions/calendar.ts'
import { nodesOf } from '../../definitions/sql/syntax-tree.ts'
import type { Clock, IsoDate, Milliseconds } from '../../model/terms.ts'
import { plainType, type CatalogColumn } from '../sql/catalog-tables.ts'
import { placeholdersIn } from '../sql/expressions.ts'
import { everySelect, expressionsOf } from './statement.ts'
import { tableColumn } from './column-types.ts'
import type { Product } from './product.ts'
import type { ProductTable } from './product-tables.ts'
import type { CheckedOrganization } from './questions.ts'
import type { Draft } from './rules/draft.ts'
import { unlessRefused, type Session } from './session.ts'

interface DataRange {
  readonly first: IsoDate
  readonly last: IsoDate
}

/**
 * Sets each organization's anchor day so that its periods have rows. Organizations without rows get another one's range.
 * Queries each column once per organization.
 */
export function createFindAnchors(product: Product) {
  const known = new Map<string, readonly DataRange[]>()
  return async (
    session: Session,
    draft: Draft,
    organizations: readonly CheckedOrganization[],
    now: Clock,
  ): Promise<CheckedOrganization[]> => {
    const ranges: Array<DataRange | undefined> = []
    for (const organization of organizations) {
      const dataRanges: DataRange[] = []
      for (const column of timeColumns(draft, product)) {
        const { schema, name: table } = column.table
        const key = JSON.stringify([schema, table, column.name, organization.id])
        const found = known.get(key) ?? (await rangesOf(session, column, organization))
        known.set(key, found)
        dataRanges.push(...found)
      }
      const [first] = dataRanges.map(range => range.first).toSorted()
      const [last] = dataRanges.map(range => range.last).toSorted((a, b) => (a < b ? 1 : -1))
      ranges.push(first === undefined || last === undefined ? undefined : { first, last })
    }
    const other = ranges.find(range => range !== undefined)
    return organizations.map((one, at) => withAnchor(one, ranges[at] ?? other, now))
  }
}

function withAnchor(
  organization: CheckedOrganization,
  range: DataRange | undefined,
  now: Clock,
): CheckedOrganization {
  const today = localDate(now(), organization.timeZone)
  if (range === undefined) return organization
  if (range.first > today) return { ...organization, anchor: range.first }
  // why: a table that is still written has rows this year
  const isCurrent = range.last >= `${today.slice(0, 4)}-01-01`
  return isCurrent ? organization : { ...organization, anchor: range.last }
}

/** A column of dates or instants. */
interface TimeColumn extends Pick<CatalogColumn, 'name' | 'type'> {
  readonly table: ProductTable
}

/** Columns that the definition compares with its period; without any, all time columns of its tables. */
function timeColumns(draft: Draft, product: Product): TimeColumn[] {
  const compared = comparedColumns(draft, product)
  if (compared.length > 0) return compared
  const tables = everySelect(draft.query).flatMap(({ relations }) =>
    relations.flatMap(read => product.findTable(read) ?? []),
  )
  return tables.flatMap(table =>
    table.columns.flatMap(({ name, type }) => (isTime(type) ? [{ table, name, type }] : [])),
  )
}

/** Columns of dates and instants that the definition compares with its period. */
export function comparedColumns(draft: Draft, { findTable }: Product): TimeColumn[] {
  return everySelect(draft.query).flatMap(select =>
    nodesOf(expressionsOf(select), 'A_Expr', { subqueries: false })
      .filter(node => placeholdersIn(node).some(name => name.startsWith('period_')))
      .flatMap(node => nodesOf(node, 'ColumnRef', { subqueries: false }))
      .flatMap(ColumnRef => {
        const { table, column } = tableColumn({ ColumnRef }, select, findTable) ?? {}
        return table && column && isTime(column.type) ? [{ ...column, table }] : []
      }),
  )
}

function isTime(type: string): boolean {
  return /^(date|timestamp with.*)$/.test(plainType(type))
}

/** Enough with an index; without one, a longer query is not worth its cost. */
const MOST_MS: Milliseconds = 500
const FEW_ROWS = 10_000

async function rangesOf(
  session: Session,
  { table, name, type }: TimeColumn,
  organization: CheckedOrganization,
): Promise<DataRange[]> {
  const column = escapeIdentifier(name)
  const zoned =
    plainType(type) === 'timestamp with time zone'
      ? ` at time zone ${escapeLiteral(organization.timeZone)}`
      : ''
  // why: days such as infinity stand for "never"
  const from = `(${table.ownRows(organization)}) as own
    where ${column} >= '1900-01-01' and ${column} < '2100-01-01'`
  const ask = (rows: string) => {
    const text = `select (min(${column})${zoned})::date, (max(${column})${zoned})::date from ${rows}`
    return unlessRefused(session.query({ text, values: [], timeoutMs: MOST_MS }))
  }
  const sampleRows = `(select ${column} from ${from} limit ${FEW_ROWS}) as first_rows`
  const result = (await ask(from)) ?? (await ask(sampleRows))
  const [first, last] = result?.rows[0] ?? []
  return first == null || last == null ? [] : [{ first, last }]
}
