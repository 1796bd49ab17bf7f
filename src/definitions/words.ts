/** Formats figures and dates for Russian sentences. No-break spaces prevent line breaks in numbers. */
import { affixesOf, decimalText, type Currency } from '../model/currency.ts'
import type { ColumnType, IsoDate, Period } from '../model/terms.ts'
import { addDays } from './calendar.ts'

const NBSP = '\u00a0'
/** why: a hyphen is hard to see after a dash: «расходы — -5,00» */
const MINUS = '\u2212'
export const NONE = '—'

/** `март`, and `31 марта`. */
const month = new Intl.DateTimeFormat('ru', { month: 'long', timeZone: 'UTC' })
const dayAndMonth = new Intl.DateTimeFormat('ru', {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

export const NUMERIC_TYPES = ['integer', 'number', 'percent', 'money'] as const
export type NumericType = (typeof NUMERIC_TYPES)[number]

export function isNumeric(type: ColumnType): type is NumericType {
  return NUMERIC_TYPES.some(numeric => numeric === type)
}

/** Three decimals at most: as many as quantities have. */
const plain = new Intl.NumberFormat('ru', {
  maximumFractionDigits: 3,
  // why: −0.0001 is 0
  signDisplay: 'negative',
})

/**
 * A number without its unit: `48 215 300,00` for money in kopecks, `1,4`, `22`, `−3`; `—` for null.
 * @param raw as PostgreSQL prints it
 * @param digits of the currency of money
 * @throws Error if it is NaN, infinite, or money in fractions of its smallest unit
 */
export function numberWords(raw: string | null, type: NumericType, digits = 0): string {
  if (raw === null) return NONE
  const decimal = decimalOf(raw, type, digits)
  // why: ICU takes three times as long
  const [, sign, whole = '', fraction] = GROUPED.exec(decimal) ?? []
  if (sign !== undefined && (type === 'money' || fraction === undefined))
    return `${sign && MINUS}${grouped(whole)}${fraction === undefined ? '' : `,${fraction}`}`
  // why: strings are formatted exactly, numbers above 2^53 are not
  return plain.format(decimal).replaceAll(/\s/g, NBSP).replace('-', MINUS)
}

/** Integers and money, without superfluous zeros. */
const GROUPED = /^(?!-0$)(-?)(0|[1-9]\d*)(?:\.(\d+))?$/

function grouped(digits: string): string {
  let text = digits.slice(0, digits.length % 3 || 3)
  for (let at = text.length; at < digits.length; at += 3) text += NBSP + digits.slice(at, at + 3)
  return text
}

/** The number for plural forms: whole units of the currency for money. Null has the form `other`. */
export function pluralNumber(raw: string | null, type: NumericType, digits = 0): number {
  return raw === null ? Number.NaN : Number(decimalOf(raw, type, digits))
}

export function signOf(raw: string | null, type: NumericType): string {
  if (raw === null) return 'none'
  const number = Number(decimalOf(raw, type, 0))
  return number === 0 ? 'zero' : number < 0 ? 'negative' : 'positive'
}

/** A field with its unit, by type; `—` for null. @param currency of money; without one it is a plain number */
export function fieldWords(raw: string | null, type: ColumnType, currency?: Currency): string {
  if (raw === null) return NONE
  if (type === 'date' && /^\d{4}-\d\d-\d\d/.test(raw)) return dateWords(raw.slice(0, 10))
  if (type === 'month' && /^\d{4}-\d\d/.test(raw)) return monthWords(raw)
  if (!isNumeric(type)) return raw
  const number = numberWords(raw, type, currency?.digits)
  if (type !== 'money' || currency === undefined)
    return type === 'percent' ? `${number}${NBSP}%` : number
  const [before, after] = affixesOf(currency, 'ru')
  return number.replace(/\d.*/, amount => before + amount + after)
}

/** `31 марта 2026 года` */
export function dateWords(date: IsoDate): string {
  return `${dayMonth(date)} ${yearOf(date)}`
}

/** The words after «За»: `2026 год`, `март 2026 года`, `3 марта 2026 года`, `период с … по …`. */
export function periodWords(period: Period): string {
  const { start, end } = period
  const year = start.slice(0, 4)
  const last = addDays(end, -1)
  if (start === `${year}-01-01` && last === `${year}-12-31`) return `${year} год`
  if (start === last) return dateWords(last)
  const isMonth = start.endsWith('-01') && end.endsWith('-01') && isSameMonth(start, last)
  return isMonth ? monthWords(last) : `период ${periodDates(period)}`
}

/** `с 1 января по 31 марта 2026 года`; one day is that day. */
export function periodDates({ start, end }: Period): string {
  const last = addDays(end, -1)
  if (start === last) return dateWords(last)
  const isSameYear = start.slice(0, 4) === last.slice(0, 4)
  const day = String(Number(start.slice(8)))
  const from = isSameMonth(start, last) ? day : isSameYear ? dayMonth(start) : dateWords(start)
  return `с ${from} по ${dateWords(last)}`
}

function isSameMonth(one: IsoDate, other: IsoDate): boolean {
  return one.slice(0, 7) === other.slice(0, 7)
}

/** `март 2026 года`, of a month or a date. */
function monthWords(date: string): string {
  return `${month.format(Date.parse(date.slice(0, 7)))} ${yearOf(date)}`
}

function dayMonth(date: IsoDate): string {
  return `${Number(date.slice(8))} ${MONTHS_OF_DAYS[Number(date.slice(5, 7)) - 1]}`
}

/** `января`, ... */
const MONTHS_OF_DAYS = Array.from({ length: 12 }, (_, index) =>
  dayAndMonth.format(Date.UTC(2026, index)).replace(/^1\s/, ''),
)

function yearOf(date: string): string {
  return `${date.slice(0, 4)} года`
}

/** The number in display units: whole units of the currency for money. */
function decimalOf(raw: string, type: NumericType, digits: number): `${number}` {
  const whole = raw.replace(/\.0*$/, '')
  const isMoney = type === 'money'
  if (!(isMoney ? /^-?\d+$/.test(whole) : /^-?\d+(\.\d+)?$/.test(raw)))
    throw new Error(`found ${raw.slice(0, 40)}, expected ${type}`)
  return (isMoney ? decimalText(whole, digits) : raw) as `${number}`
}
