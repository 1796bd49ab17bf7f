/**
 * The sheet with the report's title, its table and totals. Column widths precede the rows, so the first rows are held
 * until their widths are known.
 */
import { isNumeric } from '../../../definitions/words.ts'
import type { Currency } from '../../../model/currency.ts'
import { memoized } from '../../../model/memoized.ts'
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, RawField } from '../../../model/terms.ts'
import { currencyOfRows, fieldError, IN_ORDER, rowOfTexts, totalsOf } from '../format.ts'
import type { BodySubject, CurrencyOfRow, Ending } from '../format.ts'
import { documentLines } from './about.ts'
import { createWriteCell, type Notes, type WriteCell } from './cell.ts'
import { BOLD_WIDTH, sheetWidths, LINE_HEIGHT, textHeight } from './sheet.ts'
import { columnLetters, rowXml, sheetHead, sheetTail, textRow } from './sheet.ts'
import type { CellStyles, Styles } from './styles.ts'
import type { Texts } from './texts.ts'
import { textsIn } from '../../../texts/texts.ts'

/** The row with the column titles, in every report. Above it: title, organization, period, time of the data. */
export const TITLES_ROW = 6
/** Size of the rows that are held until column widths are known: more would hold the event loop for 20 ms. */
const MAX_HELD_BYTES: Bytes = 8 * 1024

/** By the currency of the row. */
type CellOfRow = (...row: Parameters<CurrencyOfRow>) => WriteCell

/** Its functions return XML. They throw FieldError if a field is not of its column's type; OutputFullError. */
export function createDataSheet(subject: BodySubject, texts: Texts, notes: Notes, look: Styles) {
  const { definition, organization } = subject
  const { pageOf } = textsIn(definition.product.language).formats
  const { timeZone } = organization
  const { columns } = definition
  const letters = columns.map((_, at) => columnLetters(at))
  const held: RawField[][] = []
  let heldBytes: Bytes = 0
  let number = TITLES_ROW
  let widths: readonly number[] = []
  /** Undefined while rows are held. */
  let rowCells: readonly CellOfRow[] | undefined

  const createCells = (styles: CellStyles): CellOfRow[] =>
    columns.map((column, at) => {
      const [letter, width] = [letters[at]!, widths[at]!]
      const cellOf = memoized((currency: Currency | undefined) =>
        createWriteCell(column, letter, width, timeZone, styles, currency, texts, notes),
      )
      const ofMoney = column.type === 'money' && currencyOfRows(definition, column.key)
      if (ofMoney) return (fields, indexes) => cellOf(ofMoney(fields, indexes))
      const plain = cellOf(undefined)
      return () => plain
    })

  /** @param nullStyle of the cells of null; undefined if they are omitted */
  function tableRow(
    fields: RowBytes,
    indexes: readonly number[],
    writes: readonly CellOfRow[],
    nullStyle?: number,
  ): string {
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
        const write = writes[at]!(fields, indexes)
        const cell = write(raw.slice(start - first, ends[index]! - first), row)
        const { key, type } = columns[at]!
        if (cell === undefined) throw fieldError(key, type, rawField(fields, index))
        cells += cell
      } else if (nullStyle !== undefined) {
        cells += `<c s="${nullStyle}" r="${letters[at]}${row.number}"/>`
      }
    }
    return rowXml(row.number, row.height, cells)
  }

  /** Everything above the rows, and the held rows. @param measured rows that determine the widths */
  function beginning(measured: ReadonlyArray<readonly RawField[]>): string {
    widths = sheetWidths(columns, measured)
    const cells = (rowCells = createCells(look.row))
    const titles = columns.map(({ title }) => title)
    const heights = titles.map((title, at) => textHeight(title, widths[at]!, BOLD_WIDTH))
    const styles = columns.map(({ type }) => (isNumeric(type) ? look.numberTitle : look.title))
    return [
      sheetHead(widths, TITLES_ROW),
      ...documentLines(subject).map((line, at) =>
        textRow(at + 1, LINE_HEIGHT, [line], [at > 0 ? look.line : look.heading], texts),
      ),
      textRow(TITLES_ROW, Math.max(...heights), titles, styles, texts),
      ...held.splice(0).map(fields => tableRow(rowOfTexts(fields), IN_ORDER, cells)),
    ].join('')
  }

  return {
    /** @returns nothing while rows are held */
    row(fields: RowBytes, indexes: readonly number[]): string {
      if (rowCells !== undefined) return tableRow(fields, indexes, rowCells)
      heldBytes += fields.end - fields.start
      held.push(indexes.map(index => rawField(fields, index)))
      return heldBytes >= MAX_HELD_BYTES ? beginning(held) : ''
    },
    /** `filtered` are the cells of titles and rows, `A6:D12`: a filter must not hide totals. */
    end({ totals }: Ending): { readonly xml: string; readonly filtered: string } {
      const fields = totalsOf(definition, totals)
      const before = rowCells === undefined ? beginning([...held, fields]) : ''
      const last = letters.at(-1)
      const filtered = `A${TITLES_ROW}:${last}${number}`
      const cells = createCells(look.total)
      const totalsRow = tableRow(rowOfTexts(fields), IN_ORDER, cells, look.total.text)
      // why: hides the warning "number stored as text"
      const ignored = `<ignoredErrors><ignoredError sqref="A1:${last}${number}" numberStoredAsText="1"/></ignoredErrors>`
      const tail = sheetTail(pageOf, widths, `<autoFilter ref="${filtered}"/>`, ignored)
      return { xml: before + totalsRow + tail, filtered }
    },
  }
}
