/** Writes one field as a cell, starting after the reference of the cell: `" s="5"><v>1</v></c>`. */
import type { Column } from '../../../model/terms.ts'
import { DECIMAL, hundredth, INTEGER, stringOf, type ByteText } from '../byte-text.ts'
import type { DateType } from '../date-range.ts'
import { createPlainText } from '../plain-field.ts'
import { OutputFullError } from '../format.ts'
import type { SharedTexts } from './shared-texts.ts'
import type { CellStyles } from './styles.ts'
import { textElement } from './text.ts'

/**
 * @returns undefined if the field is not of the column's type
 * @throws OutputFullError if it is longer than a cell can be
 */
export type WriteCell = (raw: ByteText, shared: SharedTexts) => ByteText | undefined

export function createWriteCell(column: Column, timeZone: string, styles: CellStyles): WriteCell {
  const { type, title } = column
  const number = (pattern: RegExp, opens: readonly number[], asText = same, asNumber = same) =>
    numberCell(pattern, opens, textCell(title, styles.digits, asText), asNumber)
  switch (type) {
    case 'text':
      return textCell(title, styles.text)
    case 'integer':
      return number(INTEGER, [styles.integer])
    case 'money':
      return number(INTEGER, [styles.money], hundredth, hundredth)
    case 'number':
      return number(DECIMAL, styles.decimals)
    case 'percent':
      return number(DECIMAL, styles.percents, same, hundredth)
    case 'date':
    case 'month':
    case 'datetime':
      return dateCell(type, timeZone, styles)
  }
}

const same = (raw: string): string => raw

/** UTF-16 code units; Excel reports a file with longer texts as corrupt. */
const MAX_CELL_LENGTH = 32_767

export function textCell(title: string, style: number, textOf = same): WriteCell {
  const byNumber = `" s="${style}" t="s"><v>`
  const inline = `" s="${style}" t="inlineStr"><is>`
  return (raw, shared) => {
    if (raw.length > MAX_CELL_LENGTH) rejectTooLong(title, stringOf(raw))
    const text = textOf(raw)
    const number = shared.numberOf(text)
    return number === undefined
      ? `${inline}${textElement(text)}</is></c>`
      : `${byNumber}${number}</v></c>`
  }
}

function rejectTooLong(title: string, { length }: string): void {
  if (length <= MAX_CELL_LENGTH) return
  throw new OutputFullError({
    ru: `В столбце «${title}» есть значение длиной ${length} знаков, а ячейка Excel вмещает не больше ${MAX_CELL_LENGTH}. Возьмите отчёт в CSV или JSON.`,
    en: `The column "${title}" has a value of ${length} characters, and an Excel cell at most ${MAX_CELL_LENGTH}. Request the report as CSV or JSON.`,
  })
}

/** Excel's precision; further digits would become zeros. */
const MAX_DIGITS = 15
const HAS_MORE_DIGITS = /^-?0*[1-9]\d{15}/
/** More digits do not change a double; a quotient of PostgreSQL may have thousands. */
const MAX_WRITTEN_DIGITS = 20
const WRITTEN_DIGITS = /^-?[0.]*(?:\d\.?){0,20}/

/** Shows as many decimals as PostgreSQL printed. @param styles by the number of decimals */
function numberCell(
  pattern: RegExp,
  styles: readonly number[],
  asText: WriteCell,
  asNumber: (digits: string) => string,
): WriteCell {
  const opens = styles.map(style => `" s="${style}"><v>`)
  return (raw, shared) => {
    if (!pattern.test(raw)) return undefined
    // why: Excel would replace digits by zeros
    if (raw.length > MAX_DIGITS && HAS_MORE_DIGITS.test(raw)) return asText(raw, shared)
    const point = raw.indexOf('.')
    const decimals = point < 0 ? 0 : Math.min(raw.length - point - 1, opens.length - 1)
    const digits = raw.length > MAX_WRITTEN_DIGITS ? WRITTEN_DIGITS.exec(raw)![0] : raw
    return `${opens[decimals]}${asNumber(digits)}</v></c>`
  }
}

const DAY_MS = 86_400_000
/** Days from Excel's epoch, 1899-12-30, to 1970; Excel counts a day 1900-02-29, which did not exist. */
const UNIX_DAY = 25_569
/** Programs disagree on earlier days. @see ECMA-376 part 1, 18.17.4.1 */
const FIRST_DAY = '1900-03'
/** Digits of the fraction of a day; with fewer, milliseconds would be lost. */
const FRACTION_DIGITS = 11
const FRACTIONS_OF_DAY = 1e11

function dateCell(type: DateType, timeZone: string, styles: CellStyles): WriteCell {
  const isoOf = createPlainText(type, timeZone)
  const open = `" s="${styles[type]}"><v>`
  const openFraction = `" s="${styles.fraction}"><v>`
  // why: one text would make a column of texts for readers that guess its type, such as readxl
  const empty = `" s="${styles[type]}"/>`
  let lastDate = ''
  let day = Number.NaN
  return raw => {
    const iso = isoOf(raw)
    if (iso === undefined) return undefined
    const date = iso.slice(0, 10)
    if (date !== lastDate) {
      lastDate = date
      day = Date.parse(date) / DAY_MS + UNIX_DAY
    }
    if (Number.isNaN(day)) return undefined
    if (date < FIRST_DAY) return empty
    const time = type === 'datetime' ? msOfDay(iso) : 0
    if (time === 0) return `${open}${day}</v></c>`
    const fraction = String(Math.round((time / DAY_MS) * FRACTIONS_OF_DAY))
    const digits = `${day}.${fraction.padStart(FRACTION_DIGITS, '0')}`
    return `${time % 1000 === 0 ? open : openFraction}${digits}</v></c>`
  }
}

/** Of `2026-03-01T13:00:00.5+03:00`; Excel has no finer times. */
function msOfDay(iso: string): number {
  const minutes = Number(iso.slice(11, 13)) * 60 + Number(iso.slice(14, 16))
  return minutes * 60_000 + Math.round(Number.parseFloat(iso.slice(17, 23)) * 1000)
}
