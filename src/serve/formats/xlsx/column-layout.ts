/** Column widths by titles and contents, and row heights by widths. Widths are in digits of the default font. */
import type { Column, ColumnType, RawField } from '../../../model/terms.ts'
import type { ByteText } from '../byte-text.ts'
import { isDateType } from '../date-range.ts'

export interface ColumnLayout {
  readonly widths: readonly number[]
  /** Pages that are printed side by side. */
  readonly pagesWide: number
  /** Lines of the titles. */
  readonly titleLines: number
  /** Lines of a row. */
  linesOf(raws: readonly RawField[]): number
}

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
export const BOLD_DIGIT_WIDTH = 1.1
const MAX_TITLE_LINES = 3
const MAX_LINES = 25

/** For later rows and totals, which may be wider than the first rows; Excel shows `####` for wider values. */
const LATER_WIDTHS: Readonly<Partial<Record<ColumnType, number>>> = {
  integer: 15,
  number: 17,
  percent: 12,
  money: 21,
}

/** The largest contents so far. */
export function createContents(columns: readonly Column[]) {
  const lengths = columns.map(() => 0)
  const wordLengths = columns.map(() => 0)
  const textColumns = columns.flatMap(({ type }, at) => (type === 'text' ? [at] : []))

  function contentWidth({ type }: Column, at: number, isComplete: boolean): number {
    if (type === 'text') {
      const width = lengths[at]! * LETTER_WIDTH + PADDING
      return Math.min(Math.max(width, MIN_TEXT_WIDTH), MAX_TEXT_WIDTH)
    }
    const width = lengths[at]! + PADDING + (isDateType(type) ? 0 : INDENT)
    return isComplete ? width : Math.max(width, LATER_WIDTHS[type] ?? 0)
  }

  return {
    /** @param factor width of a character, if it is bold */
    measure(raws: readonly RawField[], factor = 1): void {
      for (const [at, { type }] of columns.entries()) {
        const raw = raws[at]!
        if (raw === null) continue
        const text = type === 'text' ? charactersOf(raw) : raw
        const length = type === 'text' ? longest(text, /\n/) : shownLength(type, raw)
        lengths[at] = Math.max(lengths[at]!, Math.ceil(length * factor))
        wordLengths[at] = Math.max(wordLengths[at]!, longest(text, BLANK))
      }
    },
    /** @param isComplete whether all rows and the totals are measured */
    layout(isComplete: boolean, minWidth: number): ColumnLayout {
      const titleWidths = columns.map(({ title }) => titleWidth(title))
      const natural = columns.map((column, at) =>
        Math.max(contentWidth(column, at, isComplete), titleWidths[at]!),
      )
      const floors = natural.slice()
      for (const at of textColumns) {
        const word = Math.min(wordLengths[at]! * LETTER_WIDTH + PADDING, MAX_WORD_WIDTH)
        floors[at] = Math.min(natural[at]!, Math.max(word, titleWidths[at]!, MIN_TEXT_WIDTH))
      }
      const widths = fitted(natural, floors).map(Math.ceil)
      widths[textColumns[0] ?? 0]! += Math.max(minWidth - sumOf(widths), 0)
      const usable = widths.map(width => Math.floor((width - 1) / LETTER_WIDTH))
      return {
        widths,
        pagesWide: Math.max(Math.round(sumOf(widths) / MAX_PAGE_WIDTH), 1),
        titleLines: Math.max(...columns.map(({ title }, at) => titleLines(title, widths[at]!))),
        linesOf(raws) {
          let most = 1
          for (const at of textColumns) {
            most = Math.max(most, cellLines(raws[at] ?? '', usable[at]!))
          }
          return Math.min(most, MAX_LINES)
        },
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

/** One byte for each character. */
function charactersOf(text: ByteText): string {
  return text.replaceAll(/[\u0080-\u00bf]/g, '')
}

const LINE_FEED = 0x0a
const BLANK = /[\n\t\r ]/

/** Length of the longest part of a text. */
function longest(text: string, separator: RegExp): number {
  return Math.max(...text.split(separator).map(({ length }) => length))
}

function cellLines(text: ByteText, usable: number): number {
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const byte = text.charCodeAt(at)
    if ((byte & 0xc0) !== 0x80) length += byte === LINE_FEED ? usable : 1
  }
  return length <= usable ? 1 : textLines(charactersOf(text), usable)
}

/** Lines of a text that is broken at blanks, and in words that are longer than a line. */
function textLines(text: string, usable: number): number {
  let lines = 0
  for (const line of text.split('\n')) {
    let length = -1
    lines += 1
    for (const word of line.split(BLANK)) {
      if (length >= 0 && length + 1 + word.length > usable) {
        lines += 1
        length = -1
      }
      length += 1 + word.length
      lines += Math.floor(Math.max(length - 1, 0) / usable)
      length = length > usable ? ((length - 1) % usable) + 1 : length
    }
  }
  return lines
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
  let width = Math.ceil(longest(title, /\s/) * BOLD_WIDTH) + BUTTON_WIDTH
  while (titleLines(title, width) > MAX_TITLE_LINES && width < MAX_TEXT_WIDTH) width += 1
  return Math.min(width, MAX_TEXT_WIDTH)
}

/** Lines of a bold title. */
function titleLines(title: string, width: number): number {
  return textLines(title, Math.max(Math.floor((width - PADDING) / BOLD_WIDTH), 1))
}
