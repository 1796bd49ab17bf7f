/**
 * The sheet with the report's title, its table and totals. Column widths precede the rows, so the first rows are held
 * until their widths are known.
 */
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, Column, RawField } from '../../../model/terms.ts'
import { fieldError, type BodySubject, type Ending } from '../format.ts'
import { createOutput, writeText } from '../output.ts'
import { IN_ORDER, rowOfTexts, totalsOf } from '../text-row.ts'
import { isDateType } from '../value-end.ts'
import { documentLines } from './about.ts'
import { createWriteCell, type WriteCell } from './cell.ts'
import { BOLD_WIDTH, columnWidths, LINE_HEIGHT, textHeight } from './layout.ts'
import { columnLetters, rowXml, sheetHead, sheetTail, tableXml, textRow } from './sheet.ts'
import { STYLES, type CellStyles } from './styles.ts'
import type { Texts } from './texts.ts'

/** The row with the column titles, in every report. Above it: title, organization, period, time of the data. */
export const TITLES_ROW = 6
/** Limits of the rows that are held until column widths are known; they are written in a few milliseconds. */
const MAX_HELD_ROWS = 250
const MAX_HELD_BYTES: Bytes = 128 * 1024
/** Of what is compressed at once, in less than a millisecond. */
const PIECE_BYTES: Bytes = 128 * 1024
/** In points. */
const DOCUMENT_TITLE_HEIGHT = 24
const TITLES_PADDING = 8

function titleStyle({ type }: Column): number {
  if (type === 'text') return STYLES.textTitle
  return isDateType(type) ? STYLES.dateTitle : STYLES.numberTitle
}

/** @param write takes pieces in order, and does not hold them */
export function createDataSheet(
  subject: BodySubject,
  texts: Texts,
  write: (piece: Buffer) => void,
) {
  const { definition, organization } = subject
  const { columns, title } = definition
  const letters = columns.map((_, at) => columnLetters(at))
  const output = createOutput(false)
  const held: RawField[][] = []
  let heldBytes: Bytes = 0
  let number = TITLES_ROW
  let widths: readonly number[] = []
  /** Undefined while rows are held. */
  let rowCells: readonly WriteCell[] | undefined

  const writeCells = (styles: CellStyles): WriteCell[] =>
    columns.map((column, at) =>
      createWriteCell(column, letters[at]!, widths[at]!, organization.timeZone, styles, texts),
    )

  function flush(): void {
    write(output.bytes.subarray(0, output.length))
    output.length = 0
  }

  /**
   * @param nullStyle of the cells of null; undefined if they are omitted
   * @throws FieldError if a field is not of its column's type; OutputFullError if Excel cannot contain it
   */
  function writeRow(
    fields: RowBytes,
    indexes: readonly number[],
    writes: readonly WriteCell[],
    nullStyle?: number,
  ): void {
    const { start: first, starts, ends } = fields
    // why: one string for all fields takes a third of the time of one each
    const raw = fields.bytes.toString('latin1', first, fields.end)
    number += 1
    // why: V8 would cache what String gives, until a full garbage collection
    const row = { number: number.toFixed(0), height: LINE_HEIGHT }
    let cells = ''
    for (let at = 0; at < writes.length; at += 1) {
      const index = indexes[at]!
      const start = starts[index]!
      if (start >= 0) {
        const cell = writes[at]!(raw.slice(start - first, ends[index]! - first), row)
        const { key, type } = columns[at]!
        if (cell === undefined) throw fieldError(key, type, rawField(fields, index))
        cells += cell
      } else if (nullStyle !== undefined) {
        cells += `<c s="${nullStyle}" r="${letters[at]}${row.number}"/>`
      }
    }
    writeText(output, rowXml(row.number, row.height, cells))
    if (output.length >= PIECE_BYTES) flush()
  }

  /** Writes everything above the rows, and the held rows. @param measured rows that determine the widths */
  function beginRows(measured: ReadonlyArray<readonly RawField[]>): void {
    widths = columnWidths(columns, measured)
    rowCells = writeCells(STYLES.row)
    const titles = columns.map(column => column.title)
    const titleHeights = titles.map((text, at) => textHeight(text, widths[at]!, BOLD_WIDTH))
    const titlesHeight = Math.max(...titleHeights) + TITLES_PADDING
    writeText(output, sheetHead(widths, TITLES_ROW))
    writeText(output, textRow(1, DOCUMENT_TITLE_HEIGHT, [title], [STYLES.documentTitle], texts))
    for (const [at, line] of documentLines(subject).entries()) {
      writeText(output, textRow(at + 2, LINE_HEIGHT, [line], [STYLES.grey], texts))
    }
    writeText(output, textRow(TITLES_ROW, titlesHeight, titles, columns.map(titleStyle), texts))
    for (const fields of held.splice(0)) writeRow(rowOfTexts(fields), IN_ORDER, rowCells)
  }

  return {
    row(fields: RowBytes, indexes: readonly number[]): void {
      if (rowCells !== undefined) return writeRow(fields, indexes, rowCells)
      heldBytes += fields.end - fields.start
      const count = held.push(indexes.map(index => rawField(fields, index)))
      if (count === MAX_HELD_ROWS || heldBytes >= MAX_HELD_BYTES) beginRows(held)
    },
    /** @returns the cells of titles and rows, `A6:D12` */
    end({ totals, rowCount }: Ending): string {
      const fields = totalsOf(definition, totals)
      if (rowCells === undefined) beginRows([...held, fields])
      writeRow(rowOfTexts(fields), IN_ORDER, writeCells(STYLES.total), STYLES.total.text)
      const last = letters.at(-1)
      const filtered = `A${TITLES_ROW}:${last}${number - 1}`
      // why: hides the warning "number stored as text"
      const ignored = `<ignoredErrors><ignoredError sqref="A1:${last}${number}" numberStoredAsText="1"/></ignoredErrors>`
      const table = tableXml(TITLES_ROW, rowCount, filtered)
      writeText(output, sheetTail(title, widths, table, ignored))
      flush()
      return filtered
    },
  }
}
