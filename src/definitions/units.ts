/** Units of columns and metrics. */
import { unitOfMoney, type Currency } from '../model/currency.ts'
import type { Column, ColumnType, CurrencyColumn, MetricFormat } from '../model/terms.ts'
import { isReport, type AnyDefinition } from './any-definition.ts'
import type { ReportDefinition } from './definition.ts'
import type { MetricsMatter, ReportMatter } from './schemas.ts'

/** Of money that the statement returns in whole units of its currency: the gateway counts it in the smallest. */
export const MAJOR = 'major'

export function isMajor({ source }: AnyDefinition, name: string): boolean {
  const { columns, facts, metrics }: Partial<ReportMatter & MetricsMatter> = source.matter
  return (columns?.[name] ?? facts?.[name] ?? metrics?.[name])?.unit === MAJOR
}

/** Of money with a currency in each row. */
export const UNIT_OF_ROWS = 'smallest unit of the currency'

/** A unit's name, or the column that names it in each row; null without a unit. */
export type Unit = string | { readonly column: string } | null

const UNITS: Readonly<Partial<Record<ColumnType | MetricFormat, string>>> = {
  percent: 'percent',
  days: 'day',
  hours: 'hour',
}

/** In JSON, NDJSON, CSV and Parquet; XLSX and CSV for Excel have whole units of the currency. */
export function unitOfType(type: ColumnType | MetricFormat, currency: Currency): string | null {
  return type === 'money' ? unitOfMoney(currency) : (UNITS[type] ?? null)
}

export function unitOf(definition: ReportDefinition, { key, type, currency: own }: Column): Unit {
  const { source, columns, currency } = definition
  const { unit } = source.matter.columns[key]!
  if (own !== undefined && 'column' in own) return UNIT_OF_ROWS
  if (unit === undefined || unit === MAJOR) return unitOfType(type, own ?? currency)
  return columns.some(column => column.key === unit) ? { column: unit } : unit
}

/** What names the currency of money; nothing for others. @param known the currency that need not be named */
export function currencyFields(
  { type, currency: own }: Pick<Column, 'currency'> & { readonly type: ColumnType | MetricFormat },
  currency: Currency,
  known?: Currency,
): object {
  const found = own ?? currency
  if (type !== 'money' || found === known) return {}
  return 'column' in found
    ? { currency: found, digits: null }
    : { currency: found.code, digits: found.digits }
}

/** The column with the codes of a row's money, or the currency of all. @param name of a column, fact or metric */
export function currencyOfName(definition: AnyDefinition, name: string): Currency | CurrencyColumn {
  const { columns = {}, facts }: Partial<ReportMatter> = definition.source.matter
  const codes = facts?.[name]?.currency
  const column = columnsOf(definition).find(({ key }) =>
    codes === undefined ? key === name : columns[key]!.currency === codes,
  )
  return column?.currency ?? definition.currency
}

/** Visible ones; metrics have none. */
export function columnsOf(definition: AnyDefinition): readonly Column[] {
  return isReport(definition) ? definition.columns : []
}

/** Whether totals are null because their rows may have several. */
export function hasSeveralCurrencies({ columns }: ReportDefinition): boolean {
  return columns.some(({ currency }) => currency !== undefined && 'column' in currency)
}

/** Of a total; undefined if it is one of rows in several currencies. @param name of a column or fact */
export function currencyOfTotal(definition: AnyDefinition, name: string): Currency | undefined {
  const found = currencyOfName(definition, name)
  return 'column' in found ? undefined : found
}
