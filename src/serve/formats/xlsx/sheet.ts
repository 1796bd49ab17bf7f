/** XML of a sheet before and after its rows, with column widths. */
import { columnLetters, MAIN, XML } from './parts.ts'
import { ROW_LINE_FORMAT } from './styles.ts'
import { xmlText } from './text.ts'

/** A4, fitted to the width of this number of pages. */
function pageSetup(pagesWide: number): string {
  const margins =
    '<pageMargins left="0.4" right="0.4" top="0.4" bottom="0.6" header="0.2" footer="0.3"/>'
  return `${margins}<pageSetup paperSize="9" orientation="landscape" fitToWidth="${pagesWide}" fitToHeight="0"/>`
}

/** A header or footer has at most 255 characters. */
const MAX_FOOTER_TITLE = 150

/** In points. */
const DEFAULT_HEIGHT = 15

/** @param titlesRow number of the row with the column titles; it and the rows above are frozen */
export function dataSheetHead(widths: readonly number[], titlesRow: number): string {
  const first = `A${titlesRow + 1}`
  return [
    `${XML}<worksheet xmlns="${MAIN}">`,
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
    '<sheetViews><sheetView showGridLines="0" tabSelected="1" workbookViewId="0">',
    `<pane ySplit="${titlesRow}" topLeftCell="${first}" activePane="bottomLeft" state="frozen"/>`,
    `<selection pane="bottomLeft" activeCell="${first}" sqref="${first}"/></sheetView></sheetViews>`,
    `<sheetFormatPr defaultRowHeight="${DEFAULT_HEIGHT}"/>`,
    `${cols(widths)}<sheetData>`,
  ].join('')
}

/** The titles and rows of a table, without totals, which a filter must not hide. */
export interface TableRange {
  readonly columnCount: number
  readonly titlesRow: number
  readonly rowCount: number
}

export function dataSheetTail(table: TableRange, title: string, pagesWide: number): string {
  const last = columnLetters(table.columnCount - 1)
  return [
    `</sheetData><autoFilter ref="${filteredCells(table).replaceAll('$', '')}"/>`,
    table.rowCount > 0 ? rowLines(table, last) : '',
    `${pageSetup(pagesWide)}${footer(title)}`,
    // why: hides the warning "number stored as text"
    `<ignoredErrors><ignoredError sqref="A1:${last}${lastRow(table) + 1}" numberStoredAsText="1"/></ignoredErrors>`,
    '</worksheet>',
  ].join('')
}

function rowLines(table: TableRange, last: string): string {
  const rows = `A${table.titlesRow + 1}:${last}${lastRow(table)}`
  return `<conditionalFormatting sqref="${rows}"><cfRule type="expression" dxfId="${ROW_LINE_FORMAT}" priority="1"><formula>TRUE</formula></cfRule></conditionalFormatting>`
}

/** As in workbooks: `$A$6:$D$12`. */
export function filteredCells(table: TableRange): string {
  const last = columnLetters(table.columnCount - 1)
  return `$A$${table.titlesRow}:$${last}$${lastRow(table)}`
}

function lastRow({ titlesRow, rowCount }: TableRange): number {
  return titlesRow + rowCount
}

/** The height of a row in points; 0, the default, for one line. */
export function heightOf(lineCount: number): number {
  return lineCount > 1 ? lineCount * DEFAULT_HEIGHT : 0
}

export const ABOUT_WIDTHS = [28, 100] as const

export const ABOUT_HEAD = [
  `${XML}<worksheet xmlns="${MAIN}">`,
  '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
  '<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews>',
  `<sheetFormatPr defaultRowHeight="${DEFAULT_HEIGHT}"/>`,
  `${cols(ABOUT_WIDTHS)}<sheetData>`,
].join('')

export function aboutSheetTail(title: string): string {
  return `</sheetData>${pageSetup(1)}${footer(title)}</worksheet>`
}

/** Title and page numbers. In headers and footers `&` begins a code. */
function footer(title: string): string {
  const left = title
    .slice(0, MAX_FOOTER_TITLE)
    .replace(/[\ud800-\udbff]$/, '')
    .replaceAll('&', '&&')
  return `<headerFooter><oddFooter>${xmlText(`&L${left}&R&P из &N`)}</oddFooter></headerFooter>`
}

function cols(widths: readonly number[]): string {
  const items = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  return `<cols>${items.join('')}</cols>`
}
