/**
 * Column widths by titles and contents, and row heights by widths. Widths are in digits of the default font. Reads
 * bytes, and knows nothing of XML.
 */
import type { RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, Column, ColumnType } from '../../../model/terms.ts'
import { isDateType } from '../date-range.ts'
import { MINUS, pointOf } from '../digits.ts'

/** The largest contents so far, and a copy of the texts of each row. */
interface Contents {
  /** Call it for at most `MAX_MEASURED_ROWS` rows. */
  measure(row: RowBytes, indexes: readonly number[]): void
  measureTotals(row: RowBytes, indexes: readonly number[]): void
  rowCount(): number
  /** Size of the copied texts. */
  byteCount(): Bytes
  /** @param isComplete whether all rows and the totals are measured */
  layout(options: { readonly isComplete: boolean; readonly minWidth: number }): ColumnLayout
}

export interface ColumnLayout {
  readonly widths: readonly number[]
  /** Pages that are printed side by side. */
  readonly pagesWide: number
  /** Lines of the titles. */
  readonly titleLines: number
  /** Lines of a measured row. */
  measuredLines(rowIndex: number): number
  /** Lines of any row. */
  linesOf(row: RowBytes, indexes: readonly number[]): number
}

export const MAX_MEASURED_ROWS = 1000

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
const BOLD_DIGIT_WIDTH = 1.1
const MAX_TITLE_LINES = 3
const MAX_LINES = 25

/** For later rows and totals, which may be wider than the first rows; Excel shows `####` for wider values. */
const LATER_WIDTHS: Readonly<Record<ColumnType, number>> = {
  text: 0,
  date: 0,
  month: 0,
  datetime: 0,
  integer: 15,
  number: 17,
  percent: 12,
  money: 21,
}

const LINE_FEED = 0x0a
const BLANK = 0x20

/** The texts of a row, one after the other. */
interface Texts {
  readonly bytes: Buffer
  /** Negative for null. */
  readonly starts: Int32Array
  readonly ends: Int32Array
}

export function createContents(columns: readonly Column[]): Contents {
  const count = columns.length
  const textColumns = columns.flatMap(({ type }, at) => (type === 'text' ? [at] : []))
  const lengths = new Int32Array(count)
  const wordLengths = new Int32Array(count)
  /** Of columns in `Texts`. */
  const textIndexes = columns.map((_, at) => textColumns.indexOf(at))
  const measuredTexts: Texts[] = []
  let byteCount: Bytes = 0

  function measureRow(row: RowBytes, indexes: readonly number[], factor: number): void {
    const { bytes, starts, ends } = row
    for (let at = 0; at < count; at += 1) {
      const start = starts[indexes[at]!]!
      if (start < 0) continue
      const end = ends[indexes[at]!]!
      const { type } = columns[at]!
      const length =
        type === 'text' ? textLength(bytes, start, end) : shownLength(type, bytes, start, end)
      lengths[at] = Math.max(lengths[at]!, Math.ceil(length * factor))
      if (type === 'text')
        wordLengths[at] = Math.max(wordLengths[at]!, longestWord(bytes, start, end))
    }
  }

  function contentWidth(at: number, isComplete: boolean): number {
    const { type } = columns[at]!
    if (type === 'text') {
      const width = lengths[at]! * LETTER_WIDTH + PADDING
      return Math.min(Math.max(width, MIN_TEXT_WIDTH), MAX_TEXT_WIDTH)
    }
    const width = lengths[at]! + PADDING + (isDateType(type) ? 0 : INDENT)
    return isComplete ? width : Math.max(width, LATER_WIDTHS[type])
  }

  return {
    rowCount: () => measuredTexts.length,
    byteCount: () => byteCount,
    measure(row, indexes) {
      measureRow(row, indexes, 1)
      const texts = copyTexts(
        row,
        textColumns.map(at => indexes[at]!),
      )
      measuredTexts.push(texts)
      byteCount += texts.bytes.length
    },
    measureTotals: (row, indexes) => measureRow(row, indexes, BOLD_DIGIT_WIDTH),
    layout({ isComplete, minWidth }) {
      const titles = columns.map(({ title }) => title)
      const titleWidths = titles.map(titleWidth)
      const natural = columns.map((_, at) =>
        Math.max(contentWidth(at, isComplete), titleWidths[at]!),
      )
      const floors = columns.map(({ type }, at) => {
        if (type !== 'text') return natural[at]!
        const word = Math.min(wordLengths[at]! * LETTER_WIDTH + PADDING, MAX_WORD_WIDTH)
        return Math.min(natural[at]!, Math.max(word, titleWidths[at]!, MIN_TEXT_WIDTH))
      })
      const widths = fitted(natural, floors).map(Math.ceil)
      const missing = minWidth - sumOf(widths)
      if (missing > 0) widths[textColumns[0] ?? 0]! += missing
      const usable = textColumns.map(at => Math.floor((widths[at]! - 1) / LETTER_WIDTH))

      function linesOf({ bytes, starts, ends }: Texts, indexes: readonly number[]): number {
        let most = 1
        for (let at = 0; at < usable.length; at += 1) {
          const index = indexes[textColumns[at]!]!
          const start = starts[index]!
          if (start >= 0) most = Math.max(most, textLines(bytes, start, ends[index]!, usable[at]!))
        }
        return Math.min(most, MAX_LINES)
      }

      return {
        widths,
        pagesWide: Math.max(Math.round(sumOf(widths) / MAX_PAGE_WIDTH), 1),
        titleLines: Math.max(...titles.map((title, at) => titleLines(title, widths[at]!))),
        measuredLines: rowIndex => linesOf(measuredTexts[rowIndex]!, textIndexes),
        linesOf,
      }
    },
  }
}

/** Makes the widest columns narrower, as far as their floors allow, until the page contains all. */
function fitted(natural: readonly number[], floors: readonly number[]): number[] {
  for (let cap = MAX_TEXT_WIDTH; ; cap -= 1) {
    const widths = natural.map((width, at) => Math.max(Math.min(width, cap), floors[at]!))
    if (sumOf(widths) <= MAX_PAGE_WIDTH || cap <= MIN_TEXT_WIDTH) return widths
  }
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}

function copyTexts(row: RowBytes, fields: readonly number[]): Texts {
  const starts = new Int32Array(fields.length)
  const ends = new Int32Array(fields.length)
  let length = 0
  for (const [at, field] of fields.entries()) {
    const start = row.starts[field]!
    starts[at] = start < 0 ? -1 : length
    if (start >= 0) length += row.ends[field]! - start
    ends[at] = length
  }
  const bytes = Buffer.allocUnsafe(length)
  for (const [at, field] of fields.entries()) {
    if (starts[at]! >= 0) row.bytes.copy(bytes, starts[at], row.starts[field], row.ends[field])
  }
  return { bytes, starts, ends }
}

/** Characters of the longest line. */
function textLength(from: Buffer, start: number, end: number): number {
  let longest = 0
  let length = 0
  for (let index = start; index < end; index += 1) {
    const byte = from[index]!
    if (byte === LINE_FEED) length = 0
    else if (isFirstByte(byte)) longest = Math.max(longest, ++length)
  }
  return longest
}

function longestWord(from: Buffer, start: number, end: number): number {
  let longest = 0
  let length = 0
  for (let index = start; index < end; index += 1) {
    const byte = from[index]!
    if (byte <= BLANK) length = 0
    else if (isFirstByte(byte)) longest = Math.max(longest, ++length)
  }
  return longest
}

/** Lines of a text that is broken at blanks. */
function textLines(from: Buffer, start: number, end: number, usable: number): number {
  let lines = 1
  /** Characters of the line, and of its last word. */
  let length = 0
  let word = 0
  for (let index = start; index < end; index += 1) {
    const byte = from[index]!
    if (byte === LINE_FEED) {
      lines += 1
      length = word = 0
    } else if (byte <= BLANK) {
      length += 1
      word = 0
    } else if (isFirstByte(byte)) {
      length += 1
      word += 1
      if (length > usable) {
        lines += 1
        // why: a word that is longer than a line is broken anywhere
        length = word = word > usable ? 1 : word
      }
    }
  }
  return lines
}

/** Whether a byte of UTF-8 begins a character. */
function isFirstByte(byte: number): boolean {
  return (byte & 0xc0) !== 0x80
}

/** Length of a number or date as its number format shows it. */
function shownLength(
  type: Exclude<ColumnType, 'text'>,
  from: Buffer,
  start: number,
  end: number,
): number {
  switch (type) {
    case 'date':
      return '31.12.2026'.length
    case 'month':
      return '12.2026'.length
    case 'datetime':
      return end - start > '2026-03-01 10:00:00+00'.length ? 23 : 19
    default: {
      const sign = from[start] === MINUS ? 1 : 0
      const point = Math.max(pointOf(from, start, end), start)
      const digits = Math.max(point - start - sign - (type === 'money' ? 2 : 0), 1)
      const decimals = type === 'money' ? 2 : Math.min(Math.max(end - point - 1, 0), 4)
      const unit = type === 'money' || type === 'percent' ? 2 : 0
      return sign + digits + Math.floor((digits - 1) / 3) + (decimals && decimals + 1) + unit
    }
  }
}

function titleWidth(title: string): number {
  const word = Math.max(...title.split(/\s/).map(({ length }) => length))
  let width = Math.min(Math.ceil(word * BOLD_WIDTH) + BUTTON_WIDTH, MAX_TEXT_WIDTH)
  while (titleLines(title, width) > MAX_TITLE_LINES && width < MAX_TEXT_WIDTH) width += 1
  return width
}

/** Lines of a bold title, broken at blanks. */
function titleLines(title: string, width: number): number {
  const usable = Math.max(Math.floor((width - PADDING) / BOLD_WIDTH), 1)
  let lines = 1
  let length = -1
  for (const word of title.split(/\s+/)) {
    if (length >= 0 && length + 1 + word.length > usable) {
      lines += 1
      length = -1
    }
    length += 1 + word.length
  }
  return lines
}
