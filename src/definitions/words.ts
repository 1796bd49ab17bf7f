/** Figures and dates as a Russian sentence has them. A no-break space keeps a number in one piece. */
import type { ColumnType, IsoDate, Period } from '../model/terms.ts'
import { addDays } from './calendar.ts'

const NBSP = '\u00a0'
/** A hyphen is lost after a dash: «расходы — -5,00». */
const MINUS = '\u2212'
export const NONE = '—'

const MONTHS = [
  ['январь', 'января'],
  ['февраль', 'февраля'],
  ['март', 'марта'],
  ['апрель', 'апреля'],
  ['май', 'мая'],
  ['июнь', 'июня'],
  ['июль', 'июля'],
  ['август', 'августа'],
  ['сентябрь', 'сентября'],
  ['октябрь', 'октября'],
  ['ноябрь', 'ноября'],
  ['декабрь', 'декабря'],
] as const

export const NUMERIC_TYPES = ['integer', 'number', 'percent', 'money'] as const
export type NumericType = (typeof NUMERIC_TYPES)[number]

export function isNumeric(type: ColumnType): type is NumericType {
  return NUMERIC_TYPES.some(numeric => numeric === type)
}

/** A sentence holds three decimals at most: as many as quantities have. */
const plain = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 3 })
const roubles = new Intl.NumberFormat('ru-RU', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/**
 * A number without its unit: `48 215 300,00` for money in kopecks, `1,4`, `22`, `−3`.
 * @param raw as PostgreSQL prints it
 * @throws Error where it is NaN or infinite, or money in parts of a kopeck
 */
export function numberWords(raw: string, type: NumericType): string {
  const text = decimalOf(raw, type)
  // A string is formatted exactly, where a number above 2^53 would not be.
  const format = type === 'money' ? roubles : plain
  return format.format(text).replaceAll(/\s/g, NBSP).replace('-', MINUS)
}

/** The number that plural forms go by: roubles for money. */
export function pluralNumber(raw: string, type: NumericType): number {
  return Number(decimalOf(raw, type))
}

export function signOf(raw: string, type: NumericType): 'negative' | 'zero' | 'positive' {
  const text = decimalOf(raw, type)
  if (!/[1-9]/.test(text)) return 'zero'
  return text.startsWith('-') ? 'negative' : 'positive'
}

/** A field as a sentence has it, by its type; `—` for null. */
export function fieldWords(raw: string | null, type: ColumnType): string {
  if (raw === null) return NONE
  switch (type) {
    case 'money':
      return `${numberWords(raw, type)}${NBSP}₽`
    case 'percent':
      return `${numberWords(raw, type)}${NBSP}%`
    case 'integer':
    case 'number':
      return numberWords(raw, type)
    case 'date':
      return /^\d{4}-\d\d-\d\d/.test(raw) ? dateWords(raw.slice(0, 10)) : raw
    case 'month':
      return /^\d{4}-\d\d/.test(raw) ? monthWords(raw) : raw
    case 'text':
    case 'datetime':
    default:
      return raw
  }
}

/** `31 марта 2026 года` */
export function dateWords(date: IsoDate): string {
  return `${dayMonth(date)} ${yearOf(date)}`
}

/** What stands behind «За»: `2026 год`, `март 2026 года`, `3 марта 2026 года`, `период с … по …`. */
export function periodWords(period: Period): string {
  const last = addDays(period.end, -1)
  const year = period.start.slice(0, 4)
  if (period.start === `${year}-01-01` && last === `${year}-12-31`) return `${year} год`
  const wholeMonth = period.start.endsWith('-01') && period.end.endsWith('-01')
  if (wholeMonth && period.start.slice(0, 7) === last.slice(0, 7)) return monthWords(last)
  if (period.start === last) return dateWords(last)
  return `период ${periodDates(period)}`
}

/** `с 1 января по 31 марта 2026 года`; one day is that day. */
export function periodDates({ start, end }: Period): string {
  const last = addDays(end, -1)
  if (start === last) return dateWords(last)
  if (start.slice(0, 7) === last.slice(0, 7)) return `с ${dayOf(start)} по ${dateWords(last)}`
  const from = start.slice(0, 4) === last.slice(0, 4) ? dayMonth(start) : dateWords(start)
  return `с ${from} по ${dateWords(last)}`
}

/** `март 2026 года`, of a month or a date. */
function monthWords(date: string): string {
  return `${monthName(date, 0)} ${yearOf(date)}`
}

function dayMonth(date: IsoDate): string {
  return `${dayOf(date)} ${monthName(date, 1)}`
}

function dayOf(date: IsoDate): number {
  return Number(date.slice(8, 10))
}

function yearOf(date: string): string {
  return `${date.slice(0, 4)} года`
}

function monthName(date: string, grammaticalCase: 0 | 1): string {
  return MONTHS[Number(date.slice(5, 7)) - 1]?.[grammaticalCase] ?? ''
}

/** The number in units that people speak of: roubles for money. */
function decimalOf(raw: string, type: NumericType): `${number}` {
  const text = type === 'money' ? raw.replace(/^(-?)(\d+)(?:\.0*)?$/, toRoubles) : raw
  if (!isDecimal(text) || (type === 'money' && text === raw)) {
    throw new Error(`found ${raw.slice(0, 40)}, expected ${type}`)
  }
  return text
}

function toRoubles(_match: string, sign: string, kopecks: string): string {
  const digits = kopecks.padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text)
}
