/** Formats fields for the sentences of a language. No-break spaces prevent line breaks in numbers. */
import { affixesOf, decimalText, type Currency } from '../model/currency.ts'
import type { ColumnType } from '../model/terms.ts'
import { memoized } from '../model/memoized.ts'
import { textsIn } from '../texts/texts.ts'
import { dateWords, monthWords } from './date-words.ts'

const NBSP = '\u00a0'
/** why: a hyphen is hard to see after a dash */
const MINUS = '\u2212'
export const NONE = '—'

export const NUMERIC_TYPES = ['integer', 'number', 'percent', 'money'] as const
export type NumericType = (typeof NUMERIC_TYPES)[number]

export function isNumeric(type: ColumnType): type is NumericType {
  return NUMERIC_TYPES.some(numeric => numeric === type)
}

/** Three decimals at most: as many as quantities have. */
const numbersIn = memoized((language: string) => {
  const plain = new Intl.NumberFormat(textsIn(language).formats.locale, {
    maximumFractionDigits: 3,
    // why: −0.0001 is 0
    signDisplay: 'negative',
  })
  const parts = plain.formatToParts(12_345.6)
  const partOf = (type: string): string => spaced(parts.find(part => part.type === type)!.value)
  return { plain, group: partOf('group'), decimal: partOf('decimal') }
})

function spaced(text: string): string {
  return text.replaceAll(/\s/g, NBSP)
}

/**
 * A number without its unit: `48,215,300.00` for money in cents, `1.4`, `22`, `−3`; `—` for null.
 * @param raw as PostgreSQL prints it
 * @param digits of the currency of money
 * @throws Error if it is NaN, infinite, or money in fractions of its smallest unit
 */
export function numberWords(
  raw: string | null,
  type: NumericType,
  language: string,
  digits = 0,
): string {
  if (raw === null) return NONE
  const { plain, group, decimal } = numbersIn(language)
  const text = decimalOf(raw, type, digits)
  // why: ICU takes three times as long
  const [, sign, whole = '', fraction] = GROUPED.exec(text) ?? []
  if (sign !== undefined && (type === 'money' || fraction === undefined))
    return `${sign && MINUS}${grouped(whole, group)}${fraction === undefined ? '' : decimal + fraction}`
  // why: strings are formatted exactly, numbers above 2^53 are not
  return spaced(plain.format(text)).replace('-', MINUS)
}

/** Integers and money, without superfluous zeros. */
const GROUPED = /^(?!-0$)(-?)(0|[1-9]\d*)(?:\.(\d+))?$/

function grouped(digits: string, separator: string): string {
  let text = digits.slice(0, digits.length % 3 || 3)
  for (let at = text.length; at < digits.length; at += 3)
    text += separator + digits.slice(at, at + 3)
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
export function fieldWords(
  raw: string | null,
  type: ColumnType,
  language: string,
  currency?: Currency,
): string {
  if (raw === null) return NONE
  if (type === 'date' && /^\d{4}-\d\d-\d\d/.test(raw)) return dateWords(raw.slice(0, 10), language)
  if (type === 'month' && /^\d{4}-\d\d/.test(raw)) return monthWords(raw, language)
  if (!isNumeric(type)) return raw
  const number = numberWords(raw, type, language, currency?.digits)
  if (type !== 'money' || currency === undefined)
    return type === 'percent' ? number + textsIn(language).formats.percent : number
  const [before, after] = affixesOf(currency, language)
  return number.replace(/\d.*/, amount => before + amount + after)
}

/** The number in display units: whole units of the currency for money. */
function decimalOf(raw: string, type: NumericType, digits: number): `${number}` {
  const whole = raw.replace(/\.0*$/, '')
  const isMoney = type === 'money'
  if (!(isMoney ? /^-?\d+$/.test(whole) : /^-?\d+(\.\d+)?$/.test(raw)))
    throw new Error(`found ${raw.slice(0, 40)}, expected ${type}`)
  return (isMoney ? decimalText(whole, digits) : raw) as `${number}`
}
