/** Rows whose times are moved to the edges of periods: to the days around them, and to their midnights. */
import { escapeLiteral } from 'pg'
import { isReport } from '../../../definitions/any-definition.ts'
import { addDays } from '../../../definitions/calendar.ts'
import { startOfDay } from '../../../definitions/statement.ts'
import type { IsoDate, Period } from '../../../model/terms.ts'
import { plainType } from '../../sql/catalog-tables.ts'
import { comparedColumns } from '../data-range.ts'
import type { ProductColumn, ProductTable } from '../product-tables.ts'
import type { Trial, Way } from './experiment.ts'
import { asItIs, newKey, newValue } from './other-rows.ts'

/** Ids of findings of the text, which explain what periods would show. */
export const OF_BOUNDS = [
  'inclusive-end',
  'moved-end',
  'missing-end',
  'escaping-or',
  'series-end',
  'no-period',
  'literal-period',
  'date-and-instant',
  'session-midnight',
  'session-day',
  'session-zone',
  'literal-zone',
]

/** Columns with `periods: sum`. */
export function summedColumns({ definition }: Trial): Set<string> {
  const columns = isReport(definition) ? definition.source.matter.columns : {}
  return new Set(
    Object.entries(columns).flatMap(([name, { aggregation }]) =>
      aggregation?.periods === 'sum' ? [name] : [],
    ),
  )
}

/** Whether rows whose times are compared with the period cannot be copied. */
export function hasUncopied({ draft, product }: Trial): boolean {
  return comparedColumns(draft, product).some(({ table }) => newKey(table) === undefined)
}

/**
 * Each row of a table whose time is compared with the period, and copies of it at the edges.
 * @param days before each of which an edge is
 * @param within leaves out the rows outside of it
 */
export function rowsAtEdges(
  { draft, product, tables }: Trial,
  days: readonly IsoDate[],
  zone: string,
  within?: Period,
): Way {
  const compared = comparedColumns(draft, product)
  const isTime = (table: ProductTable, { name }: ProductColumn) =>
    compared.some(one => one.table === table && one.name === name)
  const times = (table: ProductTable) => table.columns.filter(one => isTime(table, one))
  const copies = days.flatMap(day => [0, 1, 2].map(which => ({ day, which })))
  const keys = new Map(
    tables.map(table => [table, times(table).length > 0 ? newKey(table) : undefined]),
  )
  const columnOf = (column: ProductColumn, table: ProductTable): string => {
    const name = `own.${asItIs(column)}`
    const key = keys.get(table)
    if (key?.has(column.name) === true)
      return `case copies.copy when 0 then ${name} else ${newValue(column)!(name, 'copies.copy')} end`
    if (key === undefined || !isTime(table, column)) return name
    const moved = copies.map(
      ({ day, which }, at) =>
        ` when copies.copy = ${at + 1} then ${edgesAt(day, zone, column)[which]}`,
    )
    return `case when ${name} is null then null${moved.join('')} else ${name} end`
  }
  // why: a parent outside of the period, without which its child inside is not found either
  const isParent = (table: ProductTable) =>
    tables.some(
      child =>
        child !== table &&
        times(child).length > 0 &&
        child.foreignKeys.some(key => key.name === table.name),
    )
  const rest = (table: ProductTable): string => {
    const numbers = copies.map((_, at) => `, (${at + 1})`).join('')
    const all = keys.get(table) && ` cross join (values (0)${numbers}) as copies (copy)`
    const kept =
      within &&
      !isParent(table) &&
      times(table).map(column => isWithin(columnOf(column, table), column, zone, within))
    const conditions = [
      // why: copies of a sixth of the rows show as much
      ...(all === undefined ? [] : ['(copies.copy = 0 or hashtext(own::text) % 6 = 0)']),
      ...(!kept || kept.length === 0 ? [] : [`(${kept.join(' or ')})`]),
    ]
    return `${all ?? ''}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`
  }
  return { columnOf, rest }
}

/** The last and the first value of the days around an edge; of a midnight that comes twice also the second. */
function edgesAt(day: IsoDate, zone: string, { type }: ProductColumn): readonly string[] {
  const date = `date ${escapeLiteral(day)}`
  if (type === 'date') return [`${date} - 1`, date, date]
  const [first, last] = [
    startOfDay(date, escapeLiteral(zone)),
    `${date}::timestamp at time zone ${escapeLiteral(zone)}`,
  ]
  const instants = [`${first} - interval '1 microsecond'`, first, last]
  return hasZone(type) ? instants : instants.map(instant => `(${instant}) at time zone 'UTC'`)
}

function isWithin(value: string, { type }: ProductColumn, zone: string, within: Period): string {
  // why: a timestamp without time zone may be local or UTC
  const days =
    hasZone(type) || type === 'date'
      ? [within.start, within.end]
      : [addDays(within.start, -1), addDays(within.end, 1)]
  const [from, to] = days.map(day => edgesAt(day, zone, { type } as ProductColumn)[1])
  return `${value} >= ${from} and ${value} < ${to}`
}

function hasZone(type: string): boolean {
  return plainType(type) === 'timestamp with time zone'
}
