/** XML of a sheet: its head with column widths, its rows of texts, and its tail. */
import { LINE_HEIGHT, pagesOf } from './layout.ts'
import type { Texts } from './texts.ts'
import { MAIN, XML } from './xml.ts'

/** `A`, `Z`, `AA` for 0, 25, 26. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

/** @param frozenRows number of rows that stay in view, such as titles */
export function sheetHead(widths: readonly number[], frozenRows: number): string {
  const first = `A${frozenRows + 1}`
  const cols = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  return `${XML}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>
<sheetViews><sheetView workbookViewId="0"><pane ySplit="${frozenRows}" topLeftCell="${first}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="${first}" sqref="${first}"/></sheetView></sheetViews>
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

/**
 * A4 with lines between cells, fitted to the width of a number of pages, with the file's name and page numbers.
 * @param before what precedes it after the rows @param after what follows it
 */
export function sheetTail(widths: readonly number[], before = '', after = ''): string {
  const pagesWide = Math.max(Math.round(pagesOf(widths)), 1)
  return `</sheetData>${before}<printOptions gridLines="1"/><pageMargins left="0.4" right="0.4" top="0.4" bottom="0.6" header="0.2" footer="0.3"/>
<pageSetup paperSize="9" orientation="landscape" fitToWidth="${pagesWide}" fitToHeight="0"/>
<headerFooter><oddFooter>&amp;L&amp;F&amp;R&amp;P из &amp;N</oddFooter></headerFooter>${after}</worksheet>`
}
