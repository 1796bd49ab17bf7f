/** Values as people read them. */
import { affixesOf, currencyOf, decimalText, minorText, type Currency } from '../model/currency.ts'
import type { CellType, Dates, TableColumn } from './api.ts'
import { FORMATS, OWN_CURRENCY, OWN_FORMATS, ownLanguage } from './texts.ts'

export type CellValue = string | number | null
/** Values of a report's row by column. */
export type Row = Readonly<Record<string, CellValue>>

export const LOCALE = FORMATS.locale
/** As in the sentences of the API. */
const MINUS = '\u2212'
const NBSP = '\u00a0'
export const EMPTY = '—'

/** By the least number of decimals. */
const plains = [0, 1, 2, 3].map(
  minimumFractionDigits =>
    new Intl.NumberFormat(LOCALE, { minimumFractionDigits, maximumFractionDigits: 3 }),
)
const day = dates(FORMATS.day)
const month = dates({ month: 'long', year: 'numeric' })
const ownMonth = dates({ month: 'long', year: 'numeric' }, OWN_FORMATS.locale)
const shortMonth = dates({ month: 'short' })
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
/** By the digits of the currency. */
const moneys = [0, 1, 2, 3, 4].map(digits => {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(LOCALE, options)
})
/** Of the organization; known before any view. */
let currency: Currency = { code: '', digits: 0 }

export function setCurrency(ofOrganization: Currency): void {
  currency = ofOrganization
}

/** As the sentences of the API: with the sign as in the product's language. */
function formatMoney(value: number, of: Currency, format = moneys[of.digits]!): string {
  const [before = '', after = ''] = affixesOf(of, ownLanguage)
  return format.format(value / 10 ** of.digits).replace(/\d.*/, amount => before + amount + after)
}

/** Money in whole units, as programs write it: `150358.26`; other values stay as they are. */
export function wholeUnits(value: CellValue, type = 'money'): string {
  return decimalText(String(value), currencyOfType(type)?.digits ?? 0)
}

/** Thousands, where a comma is no decimal sign. */
const GROUPS = /,(?=\d{3}(?:[,.]|$))/g

/** `1 000,5` is 100050, in English `1,000.5`; another text stays as it is, for the API to refuse. */
export function minorUnits(text: string): string {
  const bare = text
    .replace(currency.code, '')
    .replaceAll(/[\s\p{Sc}]/gu, '')
    .replace('\u2212', '-')
  const plain = FORMATS.excel.decimal === ',' ? bare.replace(',', '.') : bare.replaceAll(GROUPS, '')
  return minorText(plain, currency.digits) ?? text.trim()
}

/** Of days, which have no time zone. */
function dates(options: Intl.DateTimeFormatOptions, locale = LOCALE): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
}

export function isNumberType(type: CellType): boolean {
  return ['integer', 'number', 'percent', 'money'].includes(type)
}

/** @param type of a column, or format of a metric @param decimals of a number or a percent, at least */
export function formatValue(value: CellValue | undefined, type: string, decimals = 0): string {
  if (value === null || value === undefined) return EMPTY
  if (typeof value === 'number') return withMinus(numberWithUnit(value, type, plains[decimals]!))
  if (type === 'date' && isDate(value)) return day.format(Date.parse(value))
  if (type === 'month' && isDate(`${value}-01`)) return monthYear(value)
  // why: the instant is in the organization's time zone, which the browser's may differ from
  if (type === 'datetime')
    return `${formatValue(value.slice(0, 10), 'date')} ${value.slice(11, 16)}`
  return value
}

/** `money JPY` of a row with a currency of its own. */
export function typeIn(
  { type, currency: of }: Pick<TableColumn, 'type' | 'currency'>,
  row: Row,
): string {
  return typeof of === 'object' ? `${type} ${row[of.column] ?? '?'}` : type
}

/** Undefined for an unknown one, and other types than money. @param type `money`, or as of `typeIn` */
export function currencyOfType(type: string): Currency | undefined {
  const [, code] = /^money ?(.*)/.exec(type) ?? []
  if (code === '' || code === currency.code) return currency
  return code === OWN_CURRENCY.code ? OWN_CURRENCY : currencyOf(code ?? '')
}

/** A class for what must be seen at a glance: less than nothing, or what is overdue or missing. @param key of a column or metric */
export function newsClass(key: string, value: CellValue): 'negative' | 'bad' | '' {
  if (typeof value !== 'number') return ''
  if (value < 0) return 'negative'
  return value > 0 && /overdue|below_minimum/.test(key) ? 'bad' : ''
}

/** Of a number as the API wrote it. */
export function decimalsOf(value: CellValue | undefined): number {
  return Math.min(plains.length - 1, String(value).split('.')[1]?.length ?? 0)
}

function numberWithUnit(value: number, type: string, plain: Intl.NumberFormat): string {
  const of = currencyOfType(type)
  if (of !== undefined) return formatMoney(value, of)
  if (type === 'percent') return plain.format(value) + FORMATS.percent
  if (type === 'days') return `${plain.format(value)}${NBSP}${FORMATS.days}`
  if (type === 'hours') return `${plain.format(value)}${NBSP}${FORMATS.hours}`
  return plain.format(value)
}

/** `+9.9%`, `−1.5 p.p.`. @param type of what changed; `change` for a change in percent */
export function formatChange(change: number, type: string): string {
  const points = NBSP + FORMATS.percentagePoints
  const text = formatValue(change, type === 'change' ? 'percent' : type === 'percent' ? '' : type)
  return `${change > 0 ? '+' : ''}${text}${type === 'percent' ? points : ''}`
}

/** For axes: `1.2M`. */
export function formatShort(value: number, type: string): string {
  if (type === 'money') return withMinus(formatMoney(value, currency, compact))
  return withMinus(compact.format(value) + (type === 'percent' ? FORMATS.percent : ''))
}

function withMinus(text: string): string {
  return text.replaceAll(/[\s\u202f]/g, NBSP).replace('-', MINUS)
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** In the product's language, as in labels. */
export function formatOwnMonth(value: CellValue | undefined): string {
  return isDate(`${value}-01`) ? monthYear(String(value), ownMonth) : EMPTY
}

/** @param value `2026-03` */
function monthYear(value: string, format = month): string {
  const parts = format.formatToParts(Date.parse(`${value}-01`)).map(part => part.value)
  // why: in Russian a short word for the year follows
  return parts.slice(0, 3).join('')
}

/** For axes: the month, with the year in January, and if that is the compared one. @param value `2026-03` or a date */
export function formatTick(value: string, compared: CellValue = null): string {
  const at = Date.parse(value.length === 7 ? `${value}-01` : value)
  if (Number.isNaN(at)) return value
  if (value.length > 7) return day.format(at).slice(0, 5)
  const name = shortMonth.format(at).replace('.', '')
  return value.endsWith('-01') || value === compared ? `${name} ${value.slice(0, 4)}` : name
}

export function formatCount(count: number): string {
  return formatValue(count, 'integer')
}

/** `01.01.2026 — 31.12.2026` */
export function formatPeriod({ from, to }: Dates): string {
  return `${formatValue(from, 'date')} — ${formatValue(to, 'date')}`
}
