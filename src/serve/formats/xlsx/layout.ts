/** Column widths by titles and contents, and row heights by widths. Widths are in digits of the default font. */
import { isNumeric } from '../../../definitions/words.ts'
import type { Column, ColumnType, RawField } from '../../../model/terms.ts'

/** An A4 page in landscape has 140 at the font's size: at this width it is printed at two thirds of it. */
const PAGE_WIDTH = 210
/** Of columns of texts; the least is for a page that would not contain all columns. */
const MAX_WIDTH = 60
const LEAST_MAX_WIDTH = 16
/** Also of short columns; numbers have space for usual later rows and totals, since programs show `###` for wider ones. */
const MIN_WIDTH = 12
const LEAST_WIDTHS: Partial<Record<ColumnType, number>> = { money: 23, number: 17, integer: 14 }
/** Of the filter button. */
const BUTTON_WIDTH = 3
/** Cyrillic letters are wider than digits, and bold ones are wider again. */
const LETTER_WIDTH = 1.05
export const BOLD_WIDTH = 1.2
const MAX_TITLE_LINES = 2
/** In points. */
export const LINE_HEIGHT = 15
const MAX_LINES = 25

/** @param rows the first rows */
export function columnWidths(
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
