/** Writes one field as a cell, starting after the reference of the cell: `" s="5"><v>1</v></c>`. */
import type { ByteView } from '../../../model/row-bytes.ts'
import type { ColumnType } from '../../../model/terms.ts'
import type { DateType } from '../date-range.ts'
import { copyBytes, pointOf, readTwo, writeHundredth } from '../digits.ts'
import { OutputFullError, type WriteBytes } from '../format.ts'
import { OFFSET_LENGTH } from '../local-instant.ts'
import { pieceOf, writePiece, type Piece } from '../output.ts'
import { createWritePlain, writeRoubles } from '../plain-field.ts'
import { excelDay, isTooLong, lastOf, readMs, writeTime, writeWhole } from './numbers.ts'
import type { SharedTexts } from './shared.ts'
import { styleNumber, type CellStyle } from './styles.ts'
import { hasOuterSpace, XML_ESCAPING } from './text.ts'

interface CellColumn {
  /** For messages. */
  readonly title: string
  readonly type: ColumnType
  readonly timeZone: string
  readonly isTotal: boolean
  readonly shared: SharedTexts
}

/** Maximum length that is added to an escaped field: names, quotes, zeros, and `PIECE_OVERHANG`. */
export const MAX_CELL_BYTES = 128

const VALUE_END = pieceOf('</v></c>')
const TEXT_END = pieceOf('</t></is></c>')

export function createWriteCell(column: CellColumn): WriteBytes {
  const { type } = column
  switch (type) {
    case 'text':
      return textCell(column, styleNumber('text', column.isTotal))
    case 'integer':
      return numberCell(column, ['integer'], copyField, copyNumber)
    case 'money':
      return numberCell(column, ['money'], writeRoubles, writeHundredth)
    case 'number':
      return numberCell(column, DECIMALS, copyField, copyNumber)
    case 'percent':
      return numberCell(column, PERCENTS, copyField, writeHundredth)
    case 'date':
    case 'month':
    case 'datetime':
      return dateCell(column, type)
  }
}

/** UTF-16 code units; Excel reports a file with longer texts as corrupt. */
const MAX_CELL_LENGTH = 32_767

/** The returned function throws OutputFullError if a text is longer than a cell can be. */
export function textCell(
  { title, shared }: Pick<CellColumn, 'title' | 'shared'>,
  style: number,
  write: WriteBytes = XML_ESCAPING.write,
): WriteBytes {
  const byNumber = pieceOf(`" s="${style}" t="s"><v>`)
  const plain = pieceOf(`" s="${style}" t="inlineStr"><is><t>`)
  const spaced = pieceOf(`" s="${style}" t="inlineStr"><is><t xml:space="preserve">`)
  return (from, start, end, to, at) => {
    if (end - start > MAX_CELL_LENGTH) rejectTooLong(title, from, start, end)
    const isSpaced = hasOuterSpace(from.bytes, start, end)
    const text = writePiece(isSpaced ? spaced : plain, to, at)
    const textEnd = write(from, start, end, to, text)
    const number = shared.numberOf(to, text, textEnd, isSpaced)
    if (number < 0) return writePiece(TEXT_END, to, textEnd)
    const value = writePiece(byNumber, to, at)
    return writePiece(VALUE_END, to, writeWhole(number, to.bytes, value))
  }
}

function rejectTooLong(title: string, { bytes }: ByteView, start: number, end: number): void {
  const { length } = bytes.toString('utf8', start, end)
  if (length <= MAX_CELL_LENGTH) return
  throw new OutputFullError({
    ru: `В столбце «${title}» есть значение длиной ${length} знаков, а ячейка Excel вмещает не больше ${MAX_CELL_LENGTH}. Возьмите отчёт в CSV или JSON.`,
    en: `The column "${title}" has a value of ${length} characters, and an Excel cell at most ${MAX_CELL_LENGTH}. Request the report as CSV or JSON.`,
  })
}

function opening(style: CellStyle, { isTotal }: CellColumn): Piece {
  return pieceOf(`" s="${styleNumber(style, isTotal)}"><v>`)
}

/** Styles by the number of decimals; the last is also for more. */
const DECIMALS = ['decimals0', 'decimals1', 'decimals2', 'decimals3', 'decimals4'] as const
const PERCENTS = ['percent0', 'percent1', 'percent2', 'percent3', 'percent4'] as const

/** Shows as many decimals as PostgreSQL printed. */
function numberCell(
  column: CellColumn,
  styles: readonly CellStyle[],
  writeDigits: WriteBytes,
  write: typeof writeHundredth,
): WriteBytes {
  const isWhole = styles.length === 1
  const opens = styles.map(style => opening(style, column))
  // why: Excel would replace digits by zeros
  const asText = textCell(column, styleNumber('digits', column.isTotal), writeDigits)
  return (from, start, end, to, at) => {
    const { bytes } = from
    const point = pointOf(bytes, start, end)
    if (point < 0 || (isWhole && point < end)) return -1
    if (isTooLong(bytes, start, point)) return asText(from, start, end, to, at)
    const decimals = Math.min(Math.max(end - point - 1, 0), opens.length - 1)
    const value = writePiece(opens[decimals]!, to, at)
    const last = lastOf(bytes, start, point, end)
    return writePiece(VALUE_END, to, write(bytes, start, point, last, to.bytes, value))
  }
}

const copyField: WriteBytes = (from, start, end, to, at) =>
  copyBytes(from.bytes, start, end, to.bytes, at)

const copyNumber: typeof writeHundredth = (from, start, _point, end, to, at) =>
  copyBytes(from, start, end, to, at)

function dateCell(column: CellColumn, type: DateType): WriteBytes {
  const write = createWritePlain(type, column.timeZone)
  // why: one text would make a column of texts for readers that guess its type, such as readxl
  const empty = pieceOf(`" s="${styleNumber(type, column.isTotal)}"/>`)
  const open = opening(type, column)
  const openFraction = opening('fraction', column)
  return (from, start, end, to, at) => {
    // why: the date is written and parsed at the cell's position, which needs no extra buffer
    const written = write(from, start, end, to, at)
    if (written < 0) return -1
    const day = excelDay(to.bytes, at, type === 'month' ? 1 : readTwo(to.bytes, at + 8))
    if (Number.isNaN(day)) return -1
    if (day < 0) return writePiece(empty, to, at)
    const ms = type === 'datetime' ? readMs(to.bytes, at + 11, written - OFFSET_LENGTH) : 0
    const value = writePiece(ms % 1000 === 0 ? open : openFraction, to, at)
    return writePiece(VALUE_END, to, writeTime(day, ms, to.bytes, value))
  }
}
