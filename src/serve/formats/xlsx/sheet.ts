/** XML of a sheet before and after its rows, with column widths. */
import type { Column, ColumnType } from '../../../model/terms.ts'
import { columnLetters, MAIN, XML } from './parts.ts'

/** Column widths, in digits of the default font. Excel shows wider numbers and dates as `####`. */
const WIDTHS: Readonly<Record<ColumnType, number>> = {
  text: 40,
  date: 12,
  month: 10,
  datetime: 24,
  integer: 14,
  number: 16,
  percent: 12,
  money: 20,
}
/** Width of the filter button next to a title's longest word. */
const BUTTON_WIDTH = 4
const MAX_WIDTH = 60

/** A4, fitted to the width of one page. */
const PAGE_SETUP =
  '<pageMargins left="0.4" right="0.4" top="0.4" bottom="0.4" header="0.2" footer="0.2"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>'

/** Widths depend on types and titles, since rows are not known yet. */
export function dataSheetHead(columns: readonly Column[]): string {
  return [
    `${XML}<worksheet xmlns="${MAIN}">`,
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
    '<sheetViews><sheetView tabSelected="1" workbookViewId="0">',
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>',
    '<sheetFormatPr defaultRowHeight="15"/>',
    `${cols(columns.map(widthOf))}<sheetData>`,
  ].join('')
}

/** @param rows without the totals, which a filter must not hide */
export function dataSheetTail(columns: readonly Column[], rows: number): string {
  const last = columnLetters(columns.length - 1)
  return [
    `</sheetData><autoFilter ref="A1:${last}${rows + 1}"/>${PAGE_SETUP}`,
    // why: hides the warning "number stored as text"
    `<ignoredErrors><ignoredError sqref="A1:${last}${rows + 2}" numberStoredAsText="1"/></ignoredErrors>`,
    '</worksheet>',
  ].join('')
}

/** The filtered range, as `workbookXml` expects it. */
export function filteredCells(columns: readonly Column[], rows: number): string {
  return `$A$1:$${columnLetters(columns.length - 1)}$${rows + 1}`
}

const ABOUT_WIDTHS = [24, 100]

export const ABOUT_HEAD = [
  `${XML}<worksheet xmlns="${MAIN}">`,
  '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
  '<sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/>',
  `${cols(ABOUT_WIDTHS)}<sheetData>`,
].join('')

export const ABOUT_TAIL = `</sheetData>${PAGE_SETUP}</worksheet>`

function cols(widths: readonly number[]): string {
  const items = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  return `<cols>${items.join('')}</cols>`
}

function widthOf({ title, type }: Column): number {
  const longestWord = Math.max(...title.split(/\s/).map(({ length }) => length))
  return Math.max(WIDTHS[type], Math.min(longestWord + BUTTON_WIDTH, MAX_WIDTH))
}
