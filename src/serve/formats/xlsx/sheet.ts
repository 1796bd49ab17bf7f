/** XML of a sheet: its head with column widths, its rows, and its tail. */
import { byteTextOf, type ByteText } from '../byte-text.ts'
import { textCell } from './cell.ts'
import { escaped, MAIN, XML } from './parts.ts'
import type { SharedTexts } from './shared-texts.ts'
import { ROW_LINE_FORMAT } from './styles.ts'

/** In points. */
const DEFAULT_HEIGHT = 15

/** `A`, `Z`, `AA` for 0, 25, 26. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

/** @param titlesRow number of the row with the column titles; it and the rows above are frozen; 0 for none */
export function sheetHead(widths: readonly number[], titlesRow: number): string {
  const first = `A${titlesRow + 1}`
  const frozen = `<pane ySplit="${titlesRow}" topLeftCell="${first}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="${first}" sqref="${first}"/>`
  const cols = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  return `${XML}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>
<sheetViews><sheetView showGridLines="0"${titlesRow > 0 ? ' tabSelected="1"' : ''} workbookViewId="0">${titlesRow > 0 ? frozen : ''}</sheetView></sheetViews>
<sheetFormatPr defaultRowHeight="${DEFAULT_HEIGHT}"/>
<cols>${cols.join('')}</cols><sheetData>`
}

/** @param lineCount of its highest cell @param extra points */
export function rowXml(number: number, cells: ByteText, lineCount = 1, extra = 0): ByteText {
  const height = lineCount > 1 || extra > 0 ? ` ht="${lineCount * DEFAULT_HEIGHT + extra}"` : ''
  return `<row r="${number}"${height}>${cells}</row>`
}

/** The cells of texts. @param styles one for each text */
export function textCells(
  number: number,
  texts: readonly string[],
  styles: readonly number[],
  shared: SharedTexts,
): ByteText {
  const cells = texts.map((text, at) => {
    return `<c r="${columnLetters(at)}${number}${textCell(text, styles[at]!)(byteTextOf(text), shared)}`
  })
  return cells.join('')
}

/** The titles and rows of a table, without totals, which a filter must not hide. */
export interface TableRange {
  readonly columnCount: number
  readonly titlesRow: number
  readonly rowCount: number
}

/** As in workbooks: `$A$6:$D$12`. */
export function filteredCells({ columnCount, titlesRow, rowCount }: TableRange): string {
  return `$A$${titlesRow}:$${columnLetters(columnCount - 1)}$${titlesRow + rowCount}`
}

/** @param table undefined if the sheet has none */
export function sheetTail(title: string, pagesWide: number, table?: TableRange): string {
  const before = table === undefined ? '' : tableXml(table)
  // why: hides the warning "number stored as text"
  const after =
    table === undefined
      ? ''
      : `<ignoredErrors><ignoredError sqref="A1:${lastCell(table, 1)}" numberStoredAsText="1"/></ignoredErrors>`
  return `</sheetData>${before}${pageXml(title, pagesWide)}${after}</worksheet>`
}

function lastCell({ columnCount, titlesRow, rowCount }: TableRange, below = 0): string {
  return `${columnLetters(columnCount - 1)}${titlesRow + rowCount + below}`
}

/** The filter, and a line below each row. */
function tableXml(table: TableRange): string {
  const filter = `<autoFilter ref="A${table.titlesRow}:${lastCell(table)}"/>`
  if (table.rowCount === 0) return filter
  return `${filter}<conditionalFormatting sqref="A${table.titlesRow + 1}:${lastCell(table)}"><cfRule type="expression" dxfId="${ROW_LINE_FORMAT}" priority="1"><formula>TRUE</formula></cfRule></conditionalFormatting>`
}

/** A header or footer has at most 255 characters. */
const MAX_FOOTER_TITLE = 150

/** A4, fitted to the width of a number of pages, with title and page numbers. In headers and footers `&` begins a code. */
function pageXml(title: string, pagesWide: number): string {
  const left = title
    .slice(0, MAX_FOOTER_TITLE)
    .replace(/[\ud800-\udbff]$/, '')
    .replaceAll('&', '&&')
  return `<pageMargins left="0.4" right="0.4" top="0.4" bottom="0.6" header="0.2" footer="0.3"/>
<pageSetup paperSize="9" orientation="landscape" fitToWidth="${pagesWide}" fitToHeight="0"/>
<headerFooter><oddFooter>${escaped(`&L${left}&R&P из &N`)}</oddFooter></headerFooter>`
}
