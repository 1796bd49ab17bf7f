/**
 * The sheet with the report's title, its table and totals. Column widths precede the rows, so the first rows are held
 * until their widths are known.
 */
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, ColumnType } from '../../../model/terms.ts'
import { isDateType } from '../date-range.ts'
import { appendNumber, copyBytes } from '../digits.ts'
import { fieldError, type BodySubject, type Ending } from '../format.ts'
import { CHUNK_BYTES, createOutput, reserve, takeChunk, writeBytes, writeText } from '../output.ts'
import { appendPiece, pieceOf } from '../piece.ts'
import { perDefinition } from '../per-definition.ts'
import { copyRow, IN_ORDER, totalsRow } from '../text-row.ts'
import { documentLines } from './about.ts'
import { createWriteCell } from './cell.ts'
import { createContents, type ColumnLayout } from './layout.ts'
import {
  columnLetters,
  LINE_HEIGHT,
  sheetHead,
  sheetTail,
  tableXml,
  writeTextRow,
} from './sheet.ts'
import {
  DOCUMENT_LINE_STYLE,
  DOCUMENT_TITLE_STYLE,
  NO_TOTAL_STYLE,
  ROW_STYLES,
  TITLE_STYLES,
  TOTAL_STYLES,
} from './styles.ts'
import { MAX_CELL_BYTES, type Texts } from './texts.ts'

/** The row with the column titles, in every report. Above it: title, organization, period, time of the data. */
export const TITLES_ROW = 6
/** Limits of the rows that are held until column widths are known. */
const MAX_HELD_ROWS = 1000
const MAX_HELD_BYTES: Bytes = 512 * 1024
/** In points. */
const DOCUMENT_TITLE_HEIGHT = 24
const TITLES_PADDING = 8
/** Width of a letter in digits of the default font, for the title of 14 points and for the lines below. */
const DOCUMENT_TITLE_WIDTH = 1.5
const DOCUMENT_LINE_WIDTH = 1.1
const BOLD_DIGIT_WIDTH = 1.1
/** Longer lines may be wider than the table. */
const MAX_DOCUMENT_WIDTH = 100

const ROW = pieceOf('<row r="')
/** Blanks in a tag, which a height replaces. */
const NO_HEIGHT = pieceOf('"         >')
const ROW_END = Buffer.from('</row>')
const NO_TOTAL = pieceOf(`" s="${NO_TOTAL_STYLE}"/>`)
/** Digits of a row's number. */
const MAX_DIGITS = 7

const columnsOf = perDefinition(({ columns }, timeZone) =>
  columns.map((column, at) => ({
    column,
    opening: pieceOf(`<c r="${columnLetters(at)}`),
    write: createWriteCell(column, timeZone, ROW_STYLES),
    writeTotal: createWriteCell(column, timeZone, TOTAL_STYLES),
  })),
)

function titleStyle(type: ColumnType): number {
  return isDateType(type) ? TITLE_STYLES.date : TITLE_STYLES[type === 'text' ? 'text' : 'number']
}

/** @param take takes chunks in order */
export function createDataSheet(subject: BodySubject, texts: Texts, take: (chunk: Buffer) => void) {
  const { definition, organization } = subject
  const { columns, title } = definition
  const sheetColumns = columnsOf(definition, organization.timeZone)
  const contents = createContents(columns)
  const digits = Buffer.alloc(MAX_DIGITS)
  // why: text, so that invalid UTF-8 from the database is replaced
  const output = createOutput(true)
  let number = TITLES_ROW
  let held: RowBytes[] = []
  let heldBytes: Bytes = 0
  let heldIndexes: readonly number[] = []
  /** Undefined while rows are held. */
  let layout: ColumnLayout | undefined

  /** @throws FieldError if a field is not of its column's type; OutputFullError if Excel cannot contain it */
  function writeRow(
    row: RowBytes,
    indexes: readonly number[],
    widths: readonly number[],
    isTotal: boolean,
  ): void {
    const { starts, ends } = row
    reserve(output, MAX_CELL_BYTES)
    appendPiece(output, ROW)
    const numberAt = output.length
    number += 1
    appendNumber(output, number)
    const digitCount = output.length - numberAt
    output.bytes.copy(digits, 0, numberAt, output.length)
    appendPiece(output, NO_HEIGHT)
    let lines = 1
    for (let at = 0; at < sheetColumns.length; at += 1) {
      const index = indexes[at]!
      const start = starts[index]!
      if (start < 0 && !isTotal) continue
      const end = ends[index]!
      const { column, opening, write, writeTotal } = sheetColumns[at]!
      reserve(output, MAX_CELL_BYTES + end - start)
      appendPiece(output, opening)
      output.length = copyBytes(digits, 0, digitCount, output.bytes, output.length)
      if (start < 0) appendPiece(output, NO_TOTAL)
      else {
        const writeCell = isTotal ? writeTotal : write
        const cellLines = writeCell(output, row, start, end, texts, widths[at]!)
        if (cellLines === 0) throw fieldError(column.key, column.type, rawField(row, index))
        if (cellLines > lines) lines = cellLines
      }
    }
    if (lines > 1 && !isTotal) {
      const height = ` ht="${lines * LINE_HEIGHT}"`
      output.bytes.write(height, numberAt + digitCount + 1, 'latin1')
    }
    writeBytes(output, ROW_END)
    if (output.length >= CHUNK_BYTES) take(takeChunk(output))
  }

  /** Writes everything above the rows, and the held rows. */
  function beginRows(isComplete: boolean): ColumnLayout {
    const lines = documentLines(subject)
    const lineWidths = lines.map(({ length }) => length * DOCUMENT_LINE_WIDTH)
    const width = Math.ceil(Math.max(title.length * DOCUMENT_TITLE_WIDTH, ...lineWidths))
    const chosen = contents.layout(isComplete, Math.min(width, MAX_DOCUMENT_WIDTH))
    const titles = columns.map(column => column.title)
    const styles = columns.map(({ type }) => titleStyle(type))
    writeText(output, sheetHead(chosen.widths, TITLES_ROW))
    writeTextRow(output, 1, [title], [DOCUMENT_TITLE_STYLE], texts, DOCUMENT_TITLE_HEIGHT)
    for (let row = 2; row < TITLES_ROW; row += 1) {
      const line = lines.slice(row - 2, row - 1)
      writeTextRow(output, row, line, [DOCUMENT_LINE_STYLE], texts)
    }
    const height = chosen.titleLines * LINE_HEIGHT + TITLES_PADDING
    writeTextRow(output, TITLES_ROW, titles, styles, texts, height)
    for (const row of held) writeRow(row, heldIndexes, chosen.widths, false)
    held = []
    return chosen
  }

  return {
    row(row: RowBytes, indexes: readonly number[]): void {
      if (layout !== undefined) return writeRow(row, indexes, layout.widths, false)
      contents.measure(row, indexes)
      heldIndexes = indexes
      heldBytes += row.end - row.start
      const count = held.push(copyRow(row))
      if (count === MAX_HELD_ROWS || heldBytes >= MAX_HELD_BYTES) layout = beginRows(false)
    },
    /** @returns the cells of titles and rows, `A6:D12` */
    end({ totals, rowCount }: Ending): string {
      const row = totalsRow(definition, totals)
      if (layout === undefined) contents.measure(row, IN_ORDER, BOLD_DIGIT_WIDTH)
      layout ??= beginRows(true)
      writeRow(row, IN_ORDER, layout.widths, true)
      const last = columnLetters(columns.length - 1)
      const filtered = `A${TITLES_ROW}:${last}${number - 1}`
      // why: hides the warning "number stored as text"
      const ignored = `<ignoredErrors><ignoredError sqref="A1:${last}${number}" numberStoredAsText="1"/></ignoredErrors>`
      const table = tableXml(TITLES_ROW, rowCount, filtered)
      writeText(output, sheetTail(title, layout.pagesWide, table, ignored))
      take(takeChunk(output))
      return filtered
    },
  }
}
