/**
 * The sheet with the report's title, its table and totals. Column widths precede the rows, so the first rows are held
 * until their widths are known.
 */
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, Column } from '../../../model/terms.ts'
import { isDateType } from '../value-end.ts'
import { appendNumber, copyBytes } from '../digits.ts'
import { fieldError, type BodySubject, type Ending } from '../format.ts'
import { CHUNK_BYTES, createOutput, reserve, takeChunk, writeBytes, writeText } from '../output.ts'
import { appendPiece, pieceOf } from '../piece.ts'
import { perDefinition } from '../per-definition.ts'
import { copyRow, IN_ORDER, totalsRow } from '../text-row.ts'
import { documentLines } from './about.ts'
import { createWriteCell } from './cell.ts'
import { createContents } from './layout.ts'
import {
  columnLetters,
  LINE_HEIGHT,
  sheetHead,
  sheetTail,
  tableXml,
  writeTextRow,
} from './sheet.ts'
import { STYLES } from './styles.ts'
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
const NO_TOTAL = pieceOf(`" s="${STYLES.noTotal}"/>`)
/** Digits of a row's number. */
const MAX_DIGITS = 7

/** What writes the cells of rows, and of totals. */
const cellsOf = perDefinition(({ columns }, timeZone) =>
  [STYLES.row, STYLES.total].map(styles =>
    columns.map((column, at) => ({
      column,
      opening: pieceOf(`<c r="${columnLetters(at)}`),
      write: createWriteCell(column, timeZone, styles),
      /** Undefined if an empty cell is omitted. */
      ifNull: styles === STYLES.total ? NO_TOTAL : undefined,
    })),
  ),
)

type Cells = ReturnType<typeof cellsOf>[number]

function titleStyle({ type }: Column): number {
  if (type === 'text') return STYLES.textTitle
  return isDateType(type) ? STYLES.dateTitle : STYLES.numberTitle
}

/** @param take takes chunks in order */
export function createDataSheet(subject: BodySubject, texts: Texts, take: (chunk: Buffer) => void) {
  const { definition, organization } = subject
  const { columns, title } = definition
  const [rowCells, totalCells] = cellsOf(definition, organization.timeZone)
  const lines = documentLines(subject)
  const contents = createContents(columns)
  const digits = Buffer.alloc(MAX_DIGITS)
  // why: text, so that invalid UTF-8 from the database is replaced
  const output = createOutput(true)
  let number = TITLES_ROW
  const held: RowBytes[] = []
  let heldBytes: Bytes = 0
  let heldIndexes: readonly number[] = []
  /** Undefined while rows are held. */
  let layout: ReturnType<typeof contents.layout> | undefined

  /** @throws FieldError if a field is not of its column's type; OutputFullError if Excel cannot contain it */
  function writeRow(row: RowBytes, indexes: readonly number[], cells: Cells): void {
    const { widths } = layout!
    reserve(output, MAX_CELL_BYTES)
    appendPiece(output, ROW)
    const numberAt = output.length
    number += 1
    appendNumber(output, number)
    const digitCount = output.bytes.copy(digits, 0, numberAt, output.length)
    appendPiece(output, NO_HEIGHT)
    let lines = 1
    for (let at = 0; at < cells.length; at += 1) {
      const { column, opening, write, ifNull } = cells[at]!
      const index = indexes[at]!
      const start = row.starts[index]!
      if (start < 0 && ifNull === undefined) continue
      const end = row.ends[index]!
      reserve(output, MAX_CELL_BYTES + end - start)
      appendPiece(output, opening)
      output.length = copyBytes(digits, 0, digitCount, output.bytes, output.length)
      if (start < 0) appendPiece(output, ifNull!)
      else {
        const cellLines = write(output, row, start, end, texts, widths[at]!)
        if (cellLines === 0) throw fieldError(column.key, column.type, rawField(row, index))
        if (cellLines > lines) lines = cellLines
      }
    }
    if (lines > 1) output.bytes.write(` ht="${lines * LINE_HEIGHT}"`, numberAt + digitCount + 1)
    writeBytes(output, ROW_END)
    if (output.length >= CHUNK_BYTES) take(takeChunk(output))
  }

  /** Writes everything above the rows; `writeHeld` writes the held rows. */
  function beginRows(isComplete: boolean): void {
    const lineWidths = lines.map(({ length }) => length * DOCUMENT_LINE_WIDTH)
    const width = Math.ceil(Math.max(title.length * DOCUMENT_TITLE_WIDTH, ...lineWidths))
    layout = contents.layout(isComplete, Math.min(width, MAX_DOCUMENT_WIDTH))
    writeText(output, sheetHead(layout.widths, TITLES_ROW))
    writeTextRow(output, 1, [title], [STYLES.documentTitle], texts, DOCUMENT_TITLE_HEIGHT)
    for (let row = 2; row < TITLES_ROW; row += 1) {
      writeTextRow(output, row, lines.slice(row - 2, row - 1), [STYLES.documentLine], texts)
    }
    const titles = columns.map(column => column.title)
    const height = layout.titleLines * LINE_HEIGHT + TITLES_PADDING
    writeTextRow(output, TITLES_ROW, titles, columns.map(titleStyle), texts, height)
    held.reverse()
  }

  /** Writes the first of the held rows. @returns false if there is none */
  function writeHeld(): boolean {
    const row = layout && held.pop()
    if (row !== undefined) writeRow(row, heldIndexes, rowCells!)
    return row !== undefined
  }

  return {
    row(row: RowBytes, indexes: readonly number[]): void {
      if (layout !== undefined) return writeRow(row, indexes, rowCells!)
      contents.measure(row, indexes)
      heldIndexes = indexes
      heldBytes += row.end - row.start
      const count = held.push(copyRow(row))
      if (count === MAX_HELD_ROWS || heldBytes >= MAX_HELD_BYTES) beginRows(false)
    },
    /** Call it after each row until it returns false: the first thousand at once would hold the event loop. */
    step: writeHeld,
    /** @returns the cells of titles and rows, `A6:D12` */
    end({ totals, rowCount }: Ending): string {
      const row = totalsRow(definition, totals)
      if (layout === undefined) {
        contents.measure(row, IN_ORDER, BOLD_DIGIT_WIDTH)
        beginRows(true)
        while (writeHeld());
      }
      writeRow(row, IN_ORDER, totalCells!)
      const last = columnLetters(columns.length - 1)
      const filtered = `A${TITLES_ROW}:${last}${number - 1}`
      // why: hides the warning "number stored as text"
      const ignored = `<ignoredErrors><ignoredError sqref="A1:${last}${number}" numberStoredAsText="1"/></ignoredErrors>`
      const table = tableXml(TITLES_ROW, rowCount, filtered)
      writeText(output, sheetTail(title, layout!.pagesWide, table, ignored))
      take(takeChunk(output))
      return filtered
    },
  }
}
