/**
 * The sheet with the report's title, its table and totals. Column widths precede the rows, so the first rows are held
 * until their widths are known.
 */
import type { RowBytes } from '../../../model/row-bytes.ts'
import type { ColumnType, RawField } from '../../../model/terms.ts'
import { byteTextOf, fieldsOf, stringOf, writeByteText, type ByteText } from '../byte-text.ts'
import { isDateType } from '../date-range.ts'
import { fieldError, type BodySubject, type Ending } from '../format.ts'
import { CHUNK_BYTES, createOutput, takeChunk } from '../output.ts'
import { perDefinition } from '../per-definition.ts'
import { IN_ORDER, totalsRow } from '../text-row.ts'
import { documentLines } from './about.ts'
import { createWriteCell } from './cell.ts'
import { BOLD_DIGIT_WIDTH, createContents, type ColumnLayout } from './column-layout.ts'
import type { SharedTexts } from './shared-texts.ts'
import { columnLetters, rowXml, sheetHead, sheetTail, textCells, type TableRange } from './sheet.ts'
import {
  DOCUMENT_LINE_STYLE,
  DOCUMENT_TITLE_STYLE,
  NO_TOTAL_STYLE,
  ROW_STYLES,
  TITLE_STYLES,
  TOTAL_STYLES,
} from './styles.ts'

/** The row with the column titles, in every report. Above it: title, organization, period, time of the data. */
export const TITLES_ROW = 6
export const TOTALS_ROWS = 1
/** Limits of the rows that are held until column widths are known. */
const MAX_HELD_ROWS = 1000
const MAX_HELD_LENGTH = 768 * 1024
/** In points, in addition to those of lines. */
const DOCUMENT_TITLE_PADDING = 9
const TITLES_PADDING = 8
/** Width of a letter in digits of the default font, for the title of 14 points and for the lines below. */
const DOCUMENT_TITLE_WIDTH = 1.5
const DOCUMENT_LINE_WIDTH = 1.1
/** Longer lines may be wider than the table. */
const MAX_DOCUMENT_WIDTH = 100

const columnsOf = perDefinition(({ columns }, timeZone) =>
  columns.map((column, at) => ({
    column,
    open: `<c r="${columnLetters(at)}`,
    write: createWriteCell(column, timeZone, ROW_STYLES),
    writeTotal: createWriteCell(column, timeZone, TOTAL_STYLES),
  })),
)

function titleStyle(type: ColumnType): number {
  return isDateType(type) ? TITLE_STYLES.date : TITLE_STYLES[type === 'text' ? 'text' : 'number']
}

/** @param take takes pieces in order */
export function createDataSheet(
  subject: BodySubject,
  shared: SharedTexts,
  take: (bytes: Buffer) => void,
) {
  const { definition, organization } = subject
  const { columns, title } = definition
  const sheetColumns = columnsOf(definition, organization.timeZone)
  const contents = createContents(columns)
  const lines = documentLines(subject)
  let number = TITLES_ROW
  let held: Array<{ readonly cells: ByteText; readonly raws: readonly RawField[] }> = []
  let heldLength = 0
  /** Undefined while rows are held. */
  let layout: ColumnLayout | undefined
  // why: text, so that invalid UTF-8 from the database is replaced
  const output = createOutput(true)

  function write(text: ByteText): void {
    writeByteText(output, text)
    if (output.length >= CHUNK_BYTES) take(takeChunk(output))
  }

  /** @throws FieldError if a field is not of its column's type; OutputFullError if Excel cannot contain it */
  function cellsXml(raws: readonly RawField[], isTotal: boolean): ByteText {
    const row = String(number)
    const cells: ByteText[] = []
    for (let at = 0; at < sheetColumns.length; at += 1) {
      const raw = raws[at]!
      if (raw === null && !isTotal) continue
      const { column, open, write, writeTotal } = sheetColumns[at]!
      const cell =
        raw === null ? `" s="${NO_TOTAL_STYLE}"/>` : (isTotal ? writeTotal : write)(raw, shared)
      if (cell === undefined) throw fieldError(column.key, column.type, stringOf(raw))
      cells.push(open, row, cell)
    }
    return cells.join('')
  }

  /** Writes everything above the held rows, and the held rows. */
  function beginRows(isComplete: boolean): ColumnLayout {
    const lineWidths = lines.map(({ length }) => length * DOCUMENT_LINE_WIDTH)
    const width = Math.ceil(Math.max(title.length * DOCUMENT_TITLE_WIDTH, ...lineWidths))
    const chosen = contents.layout(isComplete, Math.min(width, MAX_DOCUMENT_WIDTH))
    write(sheetHead(chosen.widths, TITLES_ROW))
    write(
      rowXml(1, textCells(1, [title], [DOCUMENT_TITLE_STYLE], shared), 1, DOCUMENT_TITLE_PADDING),
    )
    for (let row = 2; row < TITLES_ROW; row += 1) {
      write(
        rowXml(row, textCells(row, lines.slice(row - 2, row - 1), [DOCUMENT_LINE_STYLE], shared)),
      )
    }
    const titles = columns.map(column => column.title)
    const styles = columns.map(({ type }) => titleStyle(type))
    const titleCells = textCells(TITLES_ROW, titles, styles, shared)
    write(rowXml(TITLES_ROW, titleCells, chosen.titleLines, TITLES_PADDING))
    for (const [at, { cells, raws }] of held.entries()) {
      write(rowXml(TITLES_ROW + 1 + at, cells, chosen.linesOf(raws)))
    }
    held = []
    return chosen
  }

  return {
    row(row: RowBytes, indexes: readonly number[]): void {
      number += 1
      const raws = fieldsOf(row, indexes)
      const cells = cellsXml(raws, false)
      if (layout !== undefined) return write(rowXml(number, cells, layout.linesOf(raws)))
      contents.measure(raws)
      held.push({ cells, raws })
      heldLength += cells.length + row.end - row.start
      if (held.length === MAX_HELD_ROWS || heldLength >= MAX_HELD_LENGTH) layout = beginRows(false)
    },
    end({ totals }: Ending, table: TableRange): void {
      number += 1
      const raws = fieldsOf(totalsRow(definition, totals), IN_ORDER.slice(0, columns.length))
      if (layout === undefined) contents.measure(raws, BOLD_DIGIT_WIDTH)
      layout ??= beginRows(true)
      write(rowXml(number, cellsXml(raws, true)))
      write(byteTextOf(sheetTail(title, layout.pagesWide, table)))
      take(takeChunk(output))
    },
  }
}
