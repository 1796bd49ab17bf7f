/** A day with rows in the tables of a definition: a period without rows shows no fault. */
import { escapeIdentifier, escapeLiteral } from 'pg'
import { addDays, localDate } from '../../definitions/calendar.ts'
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

/**
 * Sets each organization's anchor day so that its periods have rows. Organizations without rows get another one's.
 * Queries each column once per organization.
 */
export function createFindAnchors(product: Product) {
  const known = new Map<string, IsoDate | undefined>()
  return async (
    session: Session,
    draft: Draft,
    organizations: readonly CheckedOrganization[],
    now: Clock,
  ): Promise<CheckedOrganization[]> => {
    const anchors: Array<IsoDate | undefined> = []
    for (const organization of organizations) {
      const today = localDate(now(), organization.timeZone)
      const days: IsoDate[] = []
      for (const column of comparedColumns(draft, product)) {
        const key = JSON.stringify([column.table.declared.name, column.name, organization.id])
        if (!known.has(key)) known.set(key, await dayWithRows(session, column, organization, today))
        days.push(...[known.get(key) ?? []].flat())
      }
      const sorted = days.toSorted()
      anchors.push(sorted.findLast(day => day <= today) ?? sorted[0])
    }
    const other = anchors.find(day => day !== undefined)
    return organizations.map((one, at) => {
      const anchor = anchors[at] ?? other
      // why: a table that is still written has rows this year
      const isCurrent = anchor?.slice(0, 4) === localDate(now(), one.timeZone).slice(0, 4)
      return anchor === undefined || isCurrent ? one : Object.assign({}, one, { anchor })
    })
  }
}

/** A column of dates or instants. */
interface TimeColumn extends Pick<CatalogColumn, 'name' | 'type'> {
  readonly table: ProductTable
}

/** Columns of dates and instants that the definition compares with its period. */
export function comparedColumns(draft: Draft, { findTable }: Product): TimeColumn[] {
  const own = { subqueries: false }
  return everySelect(draft.query).flatMap(select =>
    // why: overlaps is a call
    [
      ...nodesOf(expressionsOf(select), 'A_Expr', own),
      ...nodesOf(expressionsOf(select), 'FuncCall', own),
    ]
      .filter(node => placeholdersIn(node).some(name => name.startsWith('period_')))
      .flatMap(node => nodesOf(node, 'ColumnRef', own))
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

/** The last one, or the first in the future. */
async function dayWithRows(
  session: Session,
  { table, name, type }: TimeColumn,
  organization: CheckedOrganization,
  today: IsoDate,
): Promise<IsoDate | undefined> {
  const column = escapeIdentifier(name)
  const zoned =
    plainType(type) === 'timestamp with time zone'
      ? ` at time zone ${escapeLiteral(organization.timeZone)}`
      : ''
  // why: days such as infinity stand for "never"
  const pick = (extreme: string, from: string, to: string) =>
    `(select (${extreme}(${column})${zoned})::date from (${table.ownRows(organization)}) as own
      where ${column} >= '${from}' and ${column} < '${to}')`
  const tomorrow = addDays(today, 1)
  const text = `select coalesce(${pick('max', '1900-01-01', tomorrow)}, ${pick('min', tomorrow, '2100-01-01')})`
  const result = await unlessRefused(session.query({ text, values: [], timeoutMs: MOST_MS }))
  return result?.rows[0]?.[0] ?? undefined
}
