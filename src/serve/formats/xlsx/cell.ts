/** One field as a cell, from behind its reference on: `" s="5"><v>1</v></c>`. Knows types of columns, and no rows. */
import type { Viewed } from '../../../model/row-bytes.ts'
import type { ColumnType } from '../../../model/terms.ts'
import { copyBytes } from '../digits.ts'
import type { WriteBytes } from '../format.ts'
import { pieceOf, writePiece, type Piece } from '../output.ts'
import {
  createLocalTimes,
  dayNumber,
  monthNumber,
  writeDayFirst,
  writeMonthFirst,
  writeTime,
} from './days.ts'
import { isTooLong, pointOf, writeDecimal, writeHundredth, writeWhole } from './digits.ts'
import { cellTooLong, MAX_CELL_LENGTH } from './limits.ts'
import type { SharedTexts } from './shared.ts'
import { styleNumber, type CellStyle } from './styles.ts'
import { hasOuterSpace, writeXmlText } from './text.ts'

export interface CellColumn {
  /** For messages. */
  readonly title: string
  readonly type: ColumnType
  readonly timeZone: string
  readonly isTotal: boolean
  readonly shared: SharedTexts
}

/** Beside a field's own bytes and their escapes: names, quotes, zeros, and what a piece may hang over. */
export const MOST_ADDED_BYTES = 128

const VALUE_END = pieceOf('</v></c>')
const TEXT_END = pieceOf('</t></is></c>')
const MOST_DECIMALS = 4

export function createWriteCell(column: CellColumn): WriteBytes {
  const { type, timeZone } = column
  switch (type) {
    case 'text':
      return textCell(column, styleNumber('text', column.isTotal))
    case 'integer':
      return integerCell(column)
    case 'money':
      return moneyCell(column)
    case 'number':
      return decimalCell(column, 'decimals', writeDecimal)
    case 'percent':
      return decimalCell(column, 'percent', writeHundredth)
    case 'date':
      return dayCell(column, 'date', isDateLong, dayNumber, writeDayFirst)
    case 'month':
      return dayCell(column, 'month', isMonthLong, monthNumber, writeMonthFirst)
    case 'datetime':
      return timeCell(column, timeZone)
  }
}

/** What it answers throws NoRoomError where a text is longer than a cell can be. */
export function textCell(
  { title, shared }: Pick<CellColumn, 'title' | 'shared'>,
  style: number,
  write: WriteBytes = writeXmlText,
): WriteBytes {
  const byNumber = pieceOf(`" s="${style}" t="s"><v>`)
  const plain = pieceOf(`" s="${style}" t="inlineStr"><is><t>`)
  const spaced = pieceOf(`" s="${style}" t="inlineStr"><is><t xml:space="preserve">`)
  return (from, start, end, to, at) => {
    if (end - start > MAX_CELL_LENGTH) refuseTooLong(title, from, start, end)
    const isSpaced = hasOuterSpace(from.bytes, start, end)
    const text = writePiece(isSpaced ? spaced : plain, to, at)
    const textEnd = write(from, start, end, to, text)
    const number = shared.numberOf(to, text, textEnd, isSpaced)
    if (number < 0) return writePiece(TEXT_END, to, textEnd)
    const value = writePiece(byNumber, to, at)
    return writePiece(VALUE_END, to, writeWhole(number, to.bytes, value))
  }
}

function refuseTooLong(title: string, { bytes }: Viewed, start: number, end: number): void {
  const { length } = bytes.toString('utf8', start, end)
  if (length > MAX_CELL_LENGTH) throw cellTooLong(title, length)
}

function digitsCell(column: CellColumn, write: WriteBytes): WriteBytes {
  return textCell(column, styleNumber('digits', column.isTotal), write)
}

const asItIs: WriteBytes = (from, start, end, to, at) =>
  copyBytes(from.bytes, start, end, to.bytes, at)

const asRoubles: WriteBytes = (from, start, end, to, at) =>
  writeHundredth(from.bytes, start, end, end, to.bytes, at)

function opening(style: CellStyle, { isTotal }: CellColumn): Piece {
  return pieceOf(`" s="${styleNumber(style, isTotal)}"><v>`)
}

function integerCell(column: CellColumn): WriteBytes {
  const open = opening('integer', column)
  const asText = digitsCell(column, asItIs)
  return (from, start, end, to, at) => {
    if (pointOf(from.bytes, start, end) !== end) return -1
    if (isTooLong(from.bytes, start, end)) return asText(from, start, end, to, at)
    const value = writePiece(open, to, at)
    return writePiece(VALUE_END, to, copyBytes(from.bytes, start, end, to.bytes, value))
  }
}

function moneyCell(column: CellColumn): WriteBytes {
  const open = opening('money', column)
  const asText = digitsCell(column, asRoubles)
  return (from, start, end, to, at) => {
    if (pointOf(from.bytes, start, end) !== end) return -1
    if (isTooLong(from.bytes, start, end)) return asText(from, start, end, to, at)
    const value = writePiece(open, to, at)
    return writePiece(VALUE_END, to, asRoubles(from, start, end, to, value))
  }
}

/** As many decimals are shown as PostgreSQL printed: all in a column have as many, or its author let them differ. */
function decimalCell(
  column: CellColumn,
  name: 'decimals' | 'percent',
  write: typeof writeDecimal,
): WriteBytes {
  const opens = ([0, 1, 2, 3, MOST_DECIMALS] as const).map(decimals =>
    opening(`${name}${decimals}`, column),
  )
  const asText = digitsCell(column, asItIs)
  return (from, start, end, to, at) => {
    const { bytes } = from
    const point = pointOf(bytes, start, end)
    if (point < 0) return -1
    if (isTooLong(bytes, start, point)) return asText(from, start, end, to, at)
    const decimals = Math.min(Math.max(end - point - 1, 0), MOST_DECIMALS)
    const value = writePiece(opens[decimals]!, to, at)
    return writePiece(VALUE_END, to, write(bytes, start, point, end, to.bytes, value))
  }
}

const isDateLong = (length: number): boolean => length === 10
const isMonthLong = (length: number): boolean => length >= 7

function dayCell(
  column: CellColumn,
  style: 'date' | 'month',
  isLong: (length: number) => boolean,
  numberOf: (from: Buffer, start: number) => number,
  write: (from: Buffer, start: number, to: Buffer, at: number) => number,
): WriteBytes {
  const open = opening(style, column)
  const asText = digitsCell(column, (from, start, _end, to, at) =>
    write(from.bytes, start, to.bytes, at),
  )
  return (from, start, end, to, at) => {
    const number = isLong(end - start) ? numberOf(from.bytes, start) : Number.NaN
    if (Number.isNaN(number)) return -1
    if (number < 0) return asText(from, start, end, to, at)
    const value = writePiece(open, to, at)
    return writePiece(VALUE_END, to, writeWhole(number, to.bytes, value))
  }
}

function timeCell(column: CellColumn, timeZone: string): WriteBytes {
  const times = createLocalTimes(timeZone)
  const open = opening('datetime', column)
  const openFraction = opening('fraction', column)
  const asText = digitsCell(column, (_from, _start, _end, to, at) => times.writeText(to.bytes, at))
  return (from, start, end, to, at) => {
    const time = times.read(from, start, end)
    if (time === undefined) return -1
    if (time.day < 0) return asText(from, start, end, to, at)
    const value = writePiece(time.ms % 1000 === 0 ? open : openFraction, to, at)
    return writePiece(VALUE_END, to, writeTime(time, to.bytes, value))
  }
}
