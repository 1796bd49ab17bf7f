/** Column widths by titles and contents, and row heights by widths. Widths are in digits of the default font. */
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Column, ColumnType } from '../../../model/terms.ts'
import { isDateType } from '../value-end.ts'

/** An A4 page in landscape has 140 at the font's size: at this width it is printed at two thirds of it. */
const MAX_PAGE_WIDTH = 210
const MAX_TEXT_WIDTH = 60
const MIN_TEXT_WIDTH = 10
/** Columns of long texts are not made narrower than their words up to this length. */
const MAX_WORD_WIDTH = 22
/** Space on both sides of a cell, and the indent of numbers. */
const PADDING = 2
const INDENT = 1.5
/** Width of the filter button, next to a title's longest word. */
const BUTTON_WIDTH = 3
/** Cyrillic letters are wider than digits, and bold ones are wider again. */
const LETTER_WIDTH = 1.05
const BOLD_WIDTH = 1.2
const MAX_TITLE_LINES = 3
/** Of a text. */
const MAX_MEASURED_LENGTH = 1000
const MAX_LINES = 25

/** For later rows and totals, which may be wider than the first rows; Excel shows `####` for wider values. */
const LATER_WIDTHS: Readonly<Partial<Record<ColumnType, number>>> = {
  integer: 15,
  number: 17,
  percent: 12,
  money: 21,
}

/** The largest contents of columns so far. */
export function createContents(columns: readonly Column[]) {
  const lengths = columns.map(() => 0)
  const words = columns.map(() => 0)
  const titleWidths = columns.map(({ title }) => titleWidth(title))

  return {
    /** @param factor width of a character, if it is bold */
    measure(row: RowBytes, indexes: readonly number[], factor = 1): void {
      for (const [at, { type }] of columns.entries()) {
        const raw = rawField(row, indexes[at]!)?.slice(0, MAX_MEASURED_LENGTH)
        if (raw === undefined) continue
        const isText = type === 'text'
        const length = isText ? longest(raw, '\n') : shownLength(type, raw)
        lengths[at] = Math.max(lengths[at]!, Math.ceil(length * factor))
        if (isText) words[at] = Math.max(words[at]!, longest(raw, BLANKS))
      }
    },
    /** @param isComplete whether all rows and the totals are measured */
    layout(isComplete: boolean, minWidth: number) {
      const natural = columns.map(({ type }, at) => {
        const later = isComplete ? 0 : (LATER_WIDTHS[type] ?? 0)
        const indent = isDateType(type) ? 0 : INDENT
        const text = Math.max(lengths[at]! * LETTER_WIDTH + PADDING, MIN_TEXT_WIDTH)
        const width = type === 'text' ? text : Math.max(lengths[at]! + PADDING + indent, later)
        return Math.min(Math.max(width, titleWidths[at]!), MAX_TEXT_WIDTH)
      })
      /** Width to which a column may be made narrower, so that the page contains all. */
      const floors = columns.map(({ type }, at) => {
        const word = Math.min(words[at]! * LETTER_WIDTH + PADDING, MAX_WORD_WIDTH)
        const floor = Math.max(word, titleWidths[at]!, MIN_TEXT_WIDTH)
        return type === 'text' ? Math.min(natural[at]!, floor) : natural[at]!
      })
      let widths: number[]
      let cap = MAX_TEXT_WIDTH
      do {
        widths = natural.map((width, at) => Math.ceil(Math.max(Math.min(width, cap), floors[at]!)))
        cap -= 1
      } while (sumOf(widths) > MAX_PAGE_WIDTH && cap >= MIN_TEXT_WIDTH)
      const firstText = columns.findIndex(({ type }) => type === 'text')
      widths[Math.max(firstText, 0)]! += Math.max(minWidth - sumOf(widths), 0)
      return {
        widths,
        /** Pages that are printed side by side. */
        pagesWide: Math.max(Math.round(sumOf(widths) / MAX_PAGE_WIDTH), 1),
        titleLines: Math.max(...columns.map(({ title }, at) => titleLines(title, widths[at]!))),
      }
    },
  }
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}

/** Length of a number or date as its number format shows it. */
function shownLength(type: ColumnType, raw: string): number {
  if (type === 'date') return '31.12.2026'.length
  if (type === 'month') return '12.2026'.length
  if (type === 'datetime') return raw.includes('.') ? 23 : 19
  const isMoney = type === 'money'
  const [whole = '', fraction = ''] = raw.replace('-', '').split('.')
  const digits = Math.max(whole.length - (isMoney ? 2 : 0), 1)
  const decimals = isMoney ? 2 : Math.min(fraction.length, 4)
  const unit = isMoney || type === 'percent' ? 2 : 0
  const groups = Math.floor((digits - 1) / 3)
  return Number(raw.startsWith('-')) + digits + groups + (decimals && decimals + 1) + unit
}

function titleWidth(title: string): number {
  let width = Math.ceil(longest(title, BLANKS) * BOLD_WIDTH) + BUTTON_WIDTH
  while (titleLines(title, width) > MAX_TITLE_LINES && width < MAX_TEXT_WIDTH) width += 1
  return Math.min(width, MAX_TEXT_WIDTH)
}

/** Lines of a bold title. */
function titleLines(title: string, width: number): number {
  const bytes = Buffer.from(title)
  const maxLength = Math.max(Math.floor((width - PADDING) / BOLD_WIDTH), 1)
  return brokenLines(bytes, 0, bytes.length, maxLength)
}

/** Lines of a text in a column of this width. */
export function textLines(bytes: Buffer, start: number, end: number, width: number): number {
  return Math.min(brokenLines(bytes, start, end, Math.floor((width - 1) / LETTER_WIDTH)), MAX_LINES)
}

const LINE_FEED = 0x0a
const BLANK = 0x20
const BLANKS = '\n\t\r '
const BLANK_BYTES = new Set(Buffer.from(BLANKS))

/** Length of the longest part of a text. */
function longest(text: string, separators: string): number {
  let most = 0
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    length = separators.includes(text.charAt(at)) ? 0 : length + 1
    most = Math.max(most, length)
  }
  return most
}

/** Lines of a text that is broken at blanks, and in words that are longer than a line. */
function brokenLines(bytes: Buffer, start: number, end: number, maxLength: number): number {
  let lines = 1
  /** Of the line so far; -1 without a word. */
  let length = -1
  let word = 0
  for (let at = start; at <= end; at += 1) {
    const byte = at < end ? bytes[at]! : BLANK
    // why: it continues a character
    if ((byte & 0xc0) === 0x80) continue
    if (byte > BLANK || !BLANK_BYTES.has(byte)) {
      word += 1
      continue
    }
    if (length >= 0 && length + 1 + word > maxLength) {
      lines += 1
      length = -1
    }
    length += 1 + word
    word = 0
    if (length > maxLength) {
      lines += Math.floor((length - 1) / maxLength)
      length = ((length - 1) % maxLength) + 1
    }
    if (byte === LINE_FEED) {
      lines += 1
      length = -1
    }
  }
  return lines
}
