/** XML of a sheet: its head with column widths, its rows of texts, and its tail. */
import { LINE_HEIGHT, pagesOf } from './layout.ts'
import { ROW_LINE_FORMAT } from './styles.ts'
import type { Texts } from './texts.ts'
import { MAIN, shortened, XML, xmlText } from './xml.ts'

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
<sheetFormatPr defaultRowHeight="${LINE_HEIGHT}"/>
<cols>${cols.join('')}</cols><sheetData>`
}

/** @param height in points */
export function rowXml(number: number | string, height: number, cells: string): string {
  return `<row r="${number}"${height > LINE_HEIGHT ? ` ht="${height}"` : ''}>${cells}</row>`
}

/** A row of texts. @param styles one for each text @param height in points */
export function textRow(
  number: number,
  height: number,
  strings: readonly string[],
  styles: readonly number[],
  texts: Texts,
): string {
  const cells = strings.map(
    (text, at) => `<c s="${styles[at]}" r="${columnLetters(at)}${number}${texts.content(text)}`,
  )
  return rowXml(number, height, cells.join(''))
}

/** A header or footer has at most 255 characters. */
const MAX_FOOTER_TITLE = 150

/**
 * A4, fitted to the width of a number of pages, with title and page numbers.
 * @param before what precedes it after the rows @param after what follows it
 */
export function sheetTail(
  title: string,
  widths: readonly number[],
  before = '',
  after = '',
): string {
  const pagesWide = Math.max(Math.round(pagesOf(widths)), 1)
  // why: in headers and footers it begins a code
  const left = shortened(title, MAX_FOOTER_TITLE).replaceAll('&', '&&')
  return `</sheetData>${before}<pageMargins left="0.4" right="0.4" top="0.4" bottom="0.6" header="0.2" footer="0.3"/>
<pageSetup paperSize="9" orientation="landscape" fitToWidth="${pagesWide}" fitToHeight="0"/>
<headerFooter><oddFooter>${xmlText(`&L${left}&R&P из &N`)}</oddFooter></headerFooter>${after}</worksheet>`
}

/** A filter over the titles and rows of a table, without totals, which it must not hide, and a line below each row. */
export function tableXml(titlesRow: number, rowCount: number, filtered: string): string {
  const filter = `<autoFilter ref="${filtered}"/>`
  if (rowCount === 0) return filter
  const rows = filtered.replace(String(titlesRow), String(titlesRow + 1))
  return `${filter}<conditionalFormatting sqref="${rows}"><cfRule type="expression" dxfId="${ROW_LINE_FORMAT}" priority="1"><formula>TRUE</formula></cfRule></conditionalFormatting>`
}
