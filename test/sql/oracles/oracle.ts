/**
 * An oracle: the independent, naive recomputation of a report or an area of metrics from the organization's raw rows.
 * Oracles share no SQL with definitions and use neither them nor pg.
 */
import type { Instant, IsoDate, Period } from '../../../src/model/terms.ts'

/** A row of a base table as PostgreSQL prints it, with `datestyle = ISO` and `timezone = UTC`. */
export type RawRow = Readonly<Record<string, string | null>>

/** Tables of organizations, parents before children, because of foreign keys. */
export const TABLES = [
  'employees',
  'counterparties',
  'accounts',
  'categories',
  'projects',
  'operations',
  'deal_sources',
  'deal_stages',
  'deals',
  'deal_stage_visits',
  'products',
  'warehouses',
  'sales',
  'sale_lines',
  'stock_movements',
  'tasks',
  'request_channels',
  'requests',
] as const

/** All rows of an organization. */
export type OrganizationRows = Readonly<Record<(typeof TABLES)[number], readonly RawRow[]>>

export interface Question {
  readonly period: Period
  /** Today in the organization's time zone. */
  readonly today: IsoDate
  readonly now: Instant
  readonly timeZone: string
}

/** Kopecks and counts are bigint; decimals, dates and texts are text. */
export type Value = bigint | string | null

export type AnswerRow = Readonly<Record<string, Value>>

export interface Answer {
  readonly rows: readonly AnswerRow[]
  /** Without the label and nulls. */
  readonly totals: AnswerRow
  /** Other values for the summary: facts, and hidden columns with a total. */
  readonly facts?: AnswerRow
}

export type ReportOracle = (rows: OrganizationRows, question: Question) => Answer

export type MetricsOracle = (rows: OrganizationRows, question: Question) => AnswerRow

/** A field that is not null. */
export function field(row: RawRow, name: string): string {
  const value = row[name]
  if (value === undefined) throw new Error(`a raw row has no column ${name}`)
  if (value === null) throw new Error(`${name} is null, which the schema forbids`)
  return value
}

/** A field that may be null. */
export function maybe(row: RawRow, name: string): string | null {
  const value = row[name]
  if (value === undefined) throw new Error(`a raw row has no column ${name}`)
  return value
}

/** Kopecks, or another integer that is not null. */
export function kopecks(row: RawRow, name = 'amount_kopecks'): bigint {
  return BigInt(field(row, name))
}

export function byId(rows: readonly RawRow[]): ReadonlyMap<string, RawRow> {
  return new Map(rows.map(row => [field(row, 'id'), row]))
}
