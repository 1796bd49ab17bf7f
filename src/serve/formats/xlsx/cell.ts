/** Writes fields as cells of a column: `<c s="5" r="A7"><v>1</v></c>`. */
import type { NumericType } from '../../../definitions/words.ts'
import { decimalText, type Currency } from '../../../model/currency.ts'
import type { Column } from '../../../model/terms.ts'
import { OutputFullError } from '../format.ts'
import { textHeight } from './sheet.ts'
import type { CellStyles } from './styles.ts'
import type { Texts } from './texts.ts'
import { isDateType } from '../plain-field.ts'
import { createOffsets } from '../local-instant.ts'

/** A row of a sheet while its cells are written. */
export interface SheetRow {
  readonly number: string
  /** In points. */
  height: number
}

/**
 * @param raw each character is a byte
 * @returns undefined if the field is not of the column's type
 * @throws OutputFullError if it is longer than a cell can be
 */
export type WriteCell = (raw: string, row: SheetRow) => string | undefined

/** What cells cannot hold, and the titles of its columns: told on the sheet that describes the report. */
export type Notes = Map<Note, Set<string>>
type Note = 'asText' | 'rounded' | 'omitted'

/** @param letters of the column @param width of the column @param notes are added */
export function createWriteCell(
  column: Column,
  letters: string,
  width: number,
  timeZone: string,
  styles: CellStyles,
  currency: Currency | undefined,
  texts: Texts,
  notes: Notes,
): WriteCell {
  const { type, title } = column
  const note = (of: Note): Notes => notes.set(of, (notes.get(of) ?? new Set()).add(title))
  const opening = (style: number): string => `<c s="${style}" r="${letters}`
  if (type === 'text') return textCell(column, opening(styles.text), width, texts)
  if (isDateType(type)) {
    return dateCell(type, timeZone, opening(styles[type]), opening(styles.fraction), note)
  }
  const asText = textCell(column, opening(styles.text), Infinity, texts)
  const ofType = type === 'money' ? styles.money(currency) : styles[type]
  return numberCell(type, ofType.map(opening), currency?.digits ?? 0, asText, note)
}

/** UTF-16 code units; Excel reports a file with longer texts as corrupt. */
const MAX_CELL_LENGTH = 32_767
const NOT_ASCII = /[\x80-\xff]/

const UNKNOWN = { content: '', height: 0 }

function textCell({ title }: Column, opening: string, width: number, texts: Texts): WriteCell {
  const known = new Map<string, typeof UNKNOWN>()
  return (raw, row) => {
    // why: a text is found in less time than it is decoded. No object for the others: V8 would place it among old ones
    let { content, height } = known.get(raw) ?? UNKNOWN
    if (content === '') {
      const text = NOT_ASCII.test(raw) ? Buffer.from(raw, 'latin1').toString() : raw
      if (text.length > MAX_CELL_LENGTH) {
        throw new OutputFullError(of => of.cellTooLong(title, text.length, MAX_CELL_LENGTH))
      }
      content = texts.content(text)
      height = textHeight(text, width)
      // why: a copy, since a part of a string keeps the whole row in memory
      if (texts.hasRoom())
        known.set(Buffer.from(raw, 'latin1').toString('latin1'), { content, height })
    }
    row.height = Math.max(row.height, height)
    return opening + row.number + content
  }
}

const INTEGER = /^-?\d+$/
const DECIMAL = /^-?\d+(?:\.\d+)?$/
/** More than Excel's precision; further digits would become zeros. */
const HAS_MORE_DIGITS = /^-?0*[1-9]\d{15}/
const HAS_MORE_DECIMALS = /[1-9](?:\.?\d){14}\.?\d*[1-9]/
/** A quotient of PostgreSQL may have thousands of digits. */
const PRECISION = 15

/** `-0.05` for `-5` of a currency with two digits. */
function amountOf(raw: string, digits: number): string | number {
  const text = decimalText(raw, digits)
  return raw.length <= digits + 1 ? Number(text) : text
}

/** Shows as many decimals as PostgreSQL printed. @param openings by the number of decimals @param digits of money */
function numberCell(
  type: NumericType,
  openings: readonly string[],
  digits: number,
  asText: WriteCell,
  note: (of: Note) => void,
): WriteCell {
  const shape = openings.length === 1 ? INTEGER : DECIMAL
  return (raw, row) => {
    if (!shape.test(raw)) return undefined
    let value: string | number = type === 'money' ? amountOf(raw, digits) : raw
    // why: Excel would replace digits by zeros
    if (HAS_MORE_DIGITS.test(raw)) {
      note('asText')
      return asText(String(value), row)
    }
    const mayHaveMore = raw.length > PRECISION
    if (mayHaveMore && HAS_MORE_DECIMALS.test(raw)) note('rounded')
    if (type === 'percent') value = Number(`${raw}e-2`)
    else if (type === 'number' && mayHaveMore) value = Number(raw)
    const point = raw.indexOf('.')
    const opening = openings[point < 0 ? 0 : raw.length - 1 - point] ?? openings.at(-1)
    return `${opening}${row.number}"><v>${value}</v></c>`
  }
}

const DAY_MS = 24 * 60 * 60_000
/** Days from Excel's epoch, 1899-12-30, to 1970; Excel counts a day 1900-02-29, which did not exist. */
const UNIX_DAY = 25_569
/** 1900-03-01; programs disagree on earlier days. @see ECMA-376 part 1, 18.17.4.1 */
const FIRST_DAY = 61
/** With fewer, milliseconds would be lost. */
const DAY_DECIMALS = 11

const SHAPES = {
  date: /^\d{4}-\d\d-\d\d$/,
  month: /^\d{4}-\d\d/,
  datetime: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?=\+00$)/,
}

type DateType = keyof typeof SHAPES

function dateCell(
  type: DateType,
  timeZone: string,
  opening: string,
  fractionOpening: string,
  note: (of: Note) => void,
): WriteCell {
  const offsetAt = createOffsets(timeZone)
  return (raw, row) => {
    const iso = SHAPES[type].exec(raw)?.[0] ?? ''
    let ms = Date.parse(type === 'datetime' ? `${iso.replace(' ', 'T')}Z` : iso)
    if (Number.isNaN(ms)) return undefined
    if (type === 'datetime') ms += offsetAt(ms) * 60_000
    const day = Math.floor(ms / DAY_MS) + UNIX_DAY
    // why: one text would make a column of texts for readers that guess its type, such as readxl
    if (day < FIRST_DAY) {
      note('omitted')
      return `${opening}${row.number}"/>`
    }
    const time = ms - (day - UNIX_DAY) * DAY_MS
    // why: apart from the day, since a double has too few digits for both
    const value = time === 0 ? day : day + (time / DAY_MS).toFixed(DAY_DECIMALS).slice(1)
    return `${ms % 1000 === 0 ? opening : fractionOpening}${row.number}"><v>${value}</v></c>`
  }
}
