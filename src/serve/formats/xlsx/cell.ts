/** Writes one field as a cell, starting after the reference of the cell: `" s="5"><v>1</v></c>`. Bytes to bytes. */
import type { ByteView } from '../../../model/row-bytes.ts'
import type { Bytes, Column } from '../../../model/terms.ts'
import { readDay, readMonth, type ReadNumber } from '../day-number.ts'
import { copyBytes, pointOf, readTwo, writeHundredth } from '../digits.ts'
import { POINT, writeNumber, ZERO, ZONE_LENGTH } from '../digits.ts'
import { createReadLocal, DAY_MINUTES } from '../local-instant.ts'
import type { Output } from '../output.ts'
import { pieceOf, writePiece, type Piece } from '../piece.ts'
import { rowOfTexts } from '../text-row.ts'
import type { CellStyles } from './styles.ts'
import { writeInline, type Texts } from './texts.ts'

/**
 * `MAX_CELL_BYTES` and space for the field must be reserved.
 * @param width of the column
 * @returns lines of the cell; 0 if the field is not of the column's type
 * @throws OutputFullError if it is longer than a cell can be
 */
export type WriteCell = (
  output: Output,
  from: ByteView,
  start: number,
  end: number,
  texts: Texts,
  width: number,
) => number

/** Maximum length that is added to a field. */
export const MAX_CELL_BYTES: Bytes = 128

export function createWriteCell(column: Column, timeZone: string, styles: CellStyles): WriteCell {
  switch (column.type) {
    case 'text':
      return textCell(column, styles.text)
    case 'integer':
      return numberCell(column, [styles.integer], styles)
    case 'money':
      return numberCell(column, [styles.money], styles)
    case 'number':
      return numberCell(column, styles.decimals, styles)
    case 'percent':
      return numberCell(column, styles.percents, styles)
    case 'date':
      return dateCell(styles.date, readDay)
    case 'month':
      return dateCell(styles.month, readMonth)
    case 'datetime':
      return datetimeCell(timeZone, styles)
  }
}

const VALUE_END = pieceOf('</v></c>')

function textCell({ title }: Column, style: number): WriteCell {
  const opening = pieceOf(`" s="${style}"`)
  const shared = pieceOf(`" s="${style}" t="s"><v>`)
  return (output, from, start, end, texts, width) => {
    const number = texts.numberOf(from, start, end)
    if (number >= 0) writeValue(output, shared, number)
    else {
      output.length = writePiece(opening, output, output.length)
      writeInline(output, title, from, start, end)
    }
    return texts.linesOf(number, from, start, end, width)
  }
}

function writeValue(output: Output, opening: Piece, number: number): void {
  const at = writeNumber(number, output.bytes, writePiece(opening, output, output.length))
  output.length = writePiece(VALUE_END, output, at)
}

/** Excel's precision; further digits would become zeros. */
const MAX_DIGITS = 15
const HAS_MORE_DIGITS = /^-?0*[1-9]\d{15}/
/** More digits do not change a double; a quotient of PostgreSQL may have thousands. */
const MAX_WRITTEN_DIGITS = 20
const WRITTEN_DIGITS = /^-?[0.]*(?:\d\.?){0,20}/

/** Shows as many decimals as PostgreSQL printed. @param numberStyles by the number of decimals */
function numberCell(
  column: Column,
  numberStyles: readonly number[],
  styles: CellStyles,
): WriteCell {
  const opens = numberStyles.map(style => pieceOf(`" s="${style}"><v>`))
  const isWhole = opens.length === 1
  const isHundredth = column.type === 'money' || column.type === 'percent'
  const writeDigits = textCell(column, styles.digits)

  return (output, from, start, end, texts, width) => {
    const { bytes } = from
    const point = pointOf(bytes, start, end)
    if (point < 0 || (isWhole && point < end)) return 0
    let last = end
    if (end - start > MAX_DIGITS) {
      const raw = bytes.toString('latin1', start, end)
      // why: Excel would replace digits by zeros
      if (HAS_MORE_DIGITS.test(raw)) {
        const text = column.type === 'money' ? `${raw.slice(0, -2)}.${raw.slice(-2)}` : raw
        const row = rowOfTexts([text])
        writeDigits(output, row, row.start, row.end, texts, width)
        return 1
      }
      if (raw.length > MAX_WRITTEN_DIGITS) last = start + WRITTEN_DIGITS.exec(raw)![0].length
    }
    const decimals = Math.min(Math.max(end - point - 1, 0), opens.length - 1)
    const at = writePiece(opens[decimals]!, output, output.length)
    const written = isHundredth
      ? writeHundredth(bytes, start, point, last, POINT, output.bytes, at)
      : copyBytes(bytes, start, last, output.bytes, at)
    output.length = writePiece(VALUE_END, output, written)
    return 1
  }
}

/** Days from Excel's epoch, 1899-12-30, to 1970; Excel counts a day 1900-02-29, which did not exist. */
const UNIX_DAY = 25_569
/** 1900-03-01; programs disagree on earlier days. @see ECMA-376 part 1, 18.17.4.1 */
const FIRST_DAY = 61

function dateCell(style: number, readDays: ReadNumber): WriteCell {
  const opening = pieceOf(`" s="${style}"><v>`)
  const empty = emptyCell(style)
  return (output, from, start, end) => {
    const number = readDays(from, start, end) + UNIX_DAY
    if (Number.isNaN(number)) return 0
    if (number < FIRST_DAY) output.length = writePiece(empty, output, output.length)
    else writeValue(output, opening, number)
    return 1
  }
}

// why: one text would make a column of texts for readers that guess its type, such as readxl
function emptyCell(style: number): Piece {
  return pieceOf(`" s="${style}"/>`)
}

const MINUTE_MS = 60_000
const DAY_MS = DAY_MINUTES * MINUTE_MS
/** Digits of the fraction of a day; with fewer, milliseconds would be lost. */
const FRACTION_DIGITS = 11
const FRACTIONS_OF_DAY = 1e11

/** Local time to the millisecond; Excel has no finer times. */
function datetimeCell(timeZone: string, { datetime, fraction }: CellStyles): WriteCell {
  const readLocal = createReadLocal(timeZone)
  const opening = pieceOf(`" s="${datetime}"><v>`)
  const fractionOpening = pieceOf(`" s="${fraction}"><v>`)
  const empty = emptyCell(datetime)
  return (output, from, start, end) => {
    const { bytes } = output
    const { minutes } = readLocal(from, start, end)
    if (Number.isNaN(minutes)) return 0
    const day = Math.floor(minutes / DAY_MINUTES)
    if (day + UNIX_DAY < FIRST_DAY) {
      output.length = writePiece(empty, output, output.length)
      return 1
    }
    const ms = readMs(from.bytes, start + 17, end - ZONE_LENGTH)
    const time = (minutes - day * DAY_MINUTES) * MINUTE_MS + ms
    const open = ms % 1000 === 0 ? opening : fractionOpening
    let at = writeNumber(day + UNIX_DAY, bytes, writePiece(open, output, output.length))
    if (time > 0) {
      bytes[at] = POINT
      const fractions = Math.round((time / DAY_MS) * FRACTIONS_OF_DAY)
      at = writeNumber(fractions, bytes, at + 1, FRACTION_DIGITS)
    }
    output.length = writePiece(VALUE_END, output, at)
    return 1
  }
}

/** Of seconds such as `59.5`. */
function readMs(from: Buffer, start: number, end: number): number {
  let ms = readTwo(from, start) * 1000
  for (let index = start + 3, worth = 100; index < end && worth >= 1; index += 1) {
    ms += (from[index]! - ZERO) * worth
    worth /= 10
  }
  return ms
}
