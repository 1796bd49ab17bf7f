/**
 * XML of a sheet: its head with column widths, its rows of texts, and its tail. Widths, by titles and contents, are in digits
 * of the default font; rows are as high as the widths require.
 */
import { isNumeric } from '../../../definitions/words.ts'
import type { Column, ColumnType, RawField } from '../../../model/terms.ts'
import { MAIN, XML, type Texts } from './texts.ts'

/** An A4 page in landscape has 140 at the font's size: at this width it is printed at two thirds of it. */
const PAGE_WIDTH = 210
/** Limits of columns of texts; the least is for a page that would not contain all columns. */
const MAX_WIDTH = 60
const LEAST_MAX_WIDTH = 16
/** Short columns are as wide, too; numbers have space for usual later rows and totals, since programs show `###` for wider ones. */
const MIN_WIDTH = 12
const LEAST_WIDTHS: Partial<Record<ColumnType, number>> = { money: 23, number: 17, integer: 14 }
/** The filter button covers as much of a title. */
const BUTTON_WIDTH = 3
/** Cyrillic letters are wider than digits, and bold ones are wider again. */
const LETTER_WIDTH = 1.05
export const BOLD_WIDTH = 1.2
const MAX_TITLE_LINES = 2
/** In points. */
export const LINE_HEIGHT = 15
const MAX_LINES = 25

/** @param rows the first rows */
export function sheetWidths(
  columns: readonly Column[],
  rows: ReadonlyArray<readonly RawField[]>,
): number[] {
  const shown = columns.map(({ type }, at) =>
    Math.max(...rows.map(fields => shownWidth(type, fields[at] ?? ''))),
  )
  for (let max = MAX_WIDTH; ; max -= 1) {
    const widths = columns.map((column, at) => {
      const width = column.type === 'text' ? Math.min(shown[at]!, max) : shown[at]!
      return Math.ceil(Math.min(Math.max(width, leastWidth(column)), MAX_WIDTH))
    })
    if (pagesOf(widths) <= 1 || max === LEAST_MAX_WIDTH) return widths
  }
}

function leastWidth({ title, type }: Column): number {
  const words = title.split(' ').map(({ length }) => length)
  const letters = Math.max(...words, title.length / MAX_TITLE_LINES)
  return Math.max(letters * BOLD_WIDTH + BUTTON_WIDTH, LEAST_WIDTHS[type] ?? MIN_WIDTH)
}

/**
 * Numbers have spaces between thousands, a few decimals, and a unit; bold digits of DejaVu, which LibreOffice takes
 * without Calibri, are a tenth wider than its digits. Others have a space on both sides.
 */
function shownWidth(type: ColumnType, raw: string): number {
  return isNumeric(type) ? raw.search(/\.|$/) * 1.5 + 8 : raw.length * LETTER_WIDTH + 2
}

/** Pages that are printed side by side. */
export function pagesOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) / PAGE_WIDTH
}

/** The height of a text in a column of a width, in points. It is broken at blanks, and in longer words. */
export function textHeight(text: string, width: number, letterWidth = LETTER_WIDTH): number {
  const length = Math.max(Math.floor((width - 1) / letterWidth), 1)
  let lines = 1
  for (let start = 0; lines < MAX_LINES; lines += 1) {
    const end = start + length
    const feed = text.indexOf('\n', start)
    const blank = text.lastIndexOf(' ', end)
    if (feed >= 0 && feed <= end) start = feed + 1
    else if (end >= text.length) break
    else start = blank > start ? blank + 1 : end
  }
  return lines * LINE_HEIGHT
}

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
 * @param pageOf between them @param before what precedes it after the rows @param after what follows it
 */
export function sheetTail(
  pageOf: string,
  widths: readonly number[],
  before = '',
  after = '',
): string {
  const pagesWide = Math.max(Math.round(pagesOf(widths)), 1)
  return `</sheetData>${before}<printOptions gridLines="1"/><pageMargins left="0.4" right="0.4" top="0.4" bottom="0.6" header="0.2" footer="0.3"/>
<pageSetup paperSize="9" orientation="landscape" fitToWidth="${pagesWide}" fitToHeight="0"/>
<headerFooter><oddFooter>&amp;L&amp;F&amp;R&amp;P ${pageOf} &amp;N</oddFooter></headerFooter>${after}</worksheet>`
}
