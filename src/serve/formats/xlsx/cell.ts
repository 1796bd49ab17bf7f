/** Writes one field as a cell, starting after the reference of the cell: `" s="5"><v>1</v></c>`. Bytes to bytes. */
import type { ByteView } from '../../../model/row-bytes.ts'
import type { Column } from '../../../model/terms.ts'
import { readDay, readMonth, type ReadNumber } from '../day-number.ts'
import { appendNumber, copyBytes, POINT, pointOf, readTwo, writeHundredth } from '../digits.ts'
import { ZERO, ZONE_LENGTH } from '../digits.ts'
import { createReadLocal, DAY_MINUTES } from '../local-instant.ts'
import type { Output } from '../output.ts'
import { appendPiece, pieceOf } from '../piece.ts'
import { rowOfTexts } from '../text-row.ts'
import type { CellStyles } from './styles.ts'
import { writeCellText, type Texts } from './texts.ts'

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

export function createWriteCell(column: Column, timeZone: string, styles: CellStyles): WriteCell {
  switch (column.type) {
    case 'text':
      return textCell(column, styles.text)
    case 'integer':
    case 'money':
      return numberCell(column, [styles[column.type]], styles.digits)
    case 'number':
      return numberCell(column, styles.decimals, styles.digits)
    case 'percent':
      return numberCell(column, styles.percents, styles.digits)
    case 'date':
      return dateCell(styles.date, (...field) => readDay(...field) * DAY_MS)
    case 'month':
      return dateCell(styles.month, (...field) => readMonth(...field) * DAY_MS)
    case 'datetime':
      return dateCell(styles.datetime, createReadMs(timeZone), styles.fraction)
  }
}

const VALUE_END = pieceOf('</v></c>')

function textCell({ title }: Column, style: number): WriteCell {
  const opening = pieceOf(`" s="${style}"`)
  return (output, from, start, end, texts, width) => {
    appendPiece(output, opening)
    return writeCellText(output, title, from, start, end, texts, width)
  }
}

/** Excel's precision; further digits would become zeros. */
const MAX_DIGITS = 15
const HAS_MORE_DIGITS = /^-?0*[1-9]\d{15}/
/** More digits do not change a double; a quotient of PostgreSQL may have thousands. */
const MAX_WRITTEN_DIGITS = 20
const WRITTEN_DIGITS = /^-?[0.]*(?:\d\.?){0,20}/

/** Shows as many decimals as PostgreSQL printed. @param styles by the number of decimals */
function numberCell(column: Column, styles: readonly number[], textStyle: number): WriteCell {
  const openings = styles.map(style => pieceOf(`" s="${style}"><v>`))
  const mostDecimals = openings.length - 1
  const isHundredth = column.type === 'money' || column.type === 'percent'
  const writeAsText = textCell(column, textStyle)

  return (output, from, start, end, texts) => {
    const { bytes } = from
    const point = pointOf(bytes, start, end)
    if (point < 0 || (mostDecimals === 0 && point < end)) return 0
    let last = end
    if (end - start > MAX_DIGITS) {
      const raw = bytes.toString('latin1', start, end)
      // why: Excel would replace digits by zeros
      if (HAS_MORE_DIGITS.test(raw)) {
        const text = column.type === 'money' ? `${raw.slice(0, -2)}.${raw.slice(-2)}` : raw
        const row = rowOfTexts([text])
        return writeAsText(output, row, row.start, row.end, texts, Infinity)
      }
      if (raw.length > MAX_WRITTEN_DIGITS) last = start + WRITTEN_DIGITS.exec(raw)![0].length
    }
    appendPiece(output, openings[Math.min(Math.max(end - point - 1, 0), mostDecimals)]!)
    output.length = isHundredth
      ? writeHundredth(bytes, start, point, last, POINT, output.bytes, output.length)
      : copyBytes(bytes, start, last, output.bytes, output.length)
    appendPiece(output, VALUE_END)
    return 1
  }
}

const MINUTE_MS = 60_000
const DAY_MS = DAY_MINUTES * MINUTE_MS
/** Days from Excel's epoch, 1899-12-30, to 1970; Excel counts a day 1900-02-29, which did not exist. */
const UNIX_DAY = 25_569
/** 1900-03-01; programs disagree on earlier days. @see ECMA-376 part 1, 18.17.4.1 */
const FIRST_DAY = 61
/** Digits of the fraction of a day; with fewer, milliseconds would be lost. */
const FRACTION_DIGITS = 11
const FRACTIONS_OF_DAY = 1e11

/** @param readMs local time since 1970; Excel has no finer times than milliseconds */
function dateCell(style: number, readMs: ReadNumber, fractionStyle = style): WriteCell {
  const opening = pieceOf(`" s="${style}"><v>`)
  const fractionOpening = pieceOf(`" s="${fractionStyle}"><v>`)
  // why: one text would make a column of texts for readers that guess its type, such as readxl
  const empty = pieceOf(`" s="${style}"/>`)
  return (output, from, start, end) => {
    const ms = readMs(from, start, end)
    if (Number.isNaN(ms)) return 0
    const day = Math.floor(ms / DAY_MS)
    if (day + UNIX_DAY < FIRST_DAY) appendPiece(output, empty)
    else {
      const time = ms - day * DAY_MS
      appendPiece(output, time % 1000 === 0 ? opening : fractionOpening)
      appendNumber(output, day + UNIX_DAY)
      if (time > 0) {
        output.bytes[output.length++] = POINT
        appendNumber(output, Math.round((time / DAY_MS) * FRACTIONS_OF_DAY), FRACTION_DIGITS)
      }
      appendPiece(output, VALUE_END)
    }
    return 1
  }
}

function createReadMs(timeZone: string): ReadNumber {
  const readLocal = createReadLocal(timeZone)
  return (from, start, end) => {
    const { bytes } = from
    let ms = readLocal(from, start, end).minutes * MINUTE_MS + readTwo(bytes, start + 17) * 1000
    for (let index = start + 20, worth = 100; index < end - ZONE_LENGTH && worth >= 1; index += 1) {
      ms += (bytes[index]! - ZERO) * worth
      worth /= 10
    }
    return ms
  }
}
