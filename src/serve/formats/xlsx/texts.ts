/**
 * Texts of cells. Sheets refer by number to those in `xl/sharedStrings.xml`, which are limited, so that memory does not
 * grow with the rows; other texts are written in their cells.
 */
import type { ByteView } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { OutputFullError } from '../format.ts'
import { BLANK, copyBytes } from '../digits.ts'
import { createOutput, recycleChunk, takeChunk, writeBytes, writeText } from '../output.ts'
import type { Output } from '../output.ts'
import { pieceOf, writePiece } from '../piece.ts'
import { textLines } from './layout.ts'
import { MAIN, XML, xmlText } from './xml.ts'

export interface Texts {
  /** @returns -1 if the text is not shared */
  numberOf(from: ByteView, start: number, end: number): number
  /** Lines of a text in a column. @param number as `numberOf` returned it */
  linesOf(number: number, from: ByteView, start: number, end: number, width: number): number
  /** The part with the shared texts. Call it last. */
  part(): string
}

const MAX_TEXTS = 8192
/** Of all texts. */
const MAX_BYTES: Bytes = 512 * 1024
/** Longer texts rarely repeat. */
const MAX_TEXT_BYTES: Bytes = 8 * 1024
/** A power of two. */
const SLOT_COUNT = 2 * MAX_TEXTS

// why: a Map needs strings: decoding, hashing and finding one takes five times as long
export function createTexts(): Texts {
  const store = createOutput(false)
  /** Of the end of each text in the store. */
  const ends: number[] = []
  /** A hash table: numbers of texts plus one. */
  const slots = new Int32Array(SLOT_COUNT)
  /** Lines of each text in a column of a width. */
  const lines: number[] = []
  const widths: number[] = []

  function add(slot: number, { bytes }: ByteView, start: number, end: number): number {
    const maxBytes = Math.min(MAX_TEXT_BYTES, MAX_BYTES - store.length)
    if (ends.length === MAX_TEXTS || end - start > maxBytes) return -1
    writeBytes(store, bytes.subarray(start, end))
    slots[slot] = ends.push(store.length)
    return ends.length - 1
  }

  return {
    numberOf(from, start, end) {
      let slot = hashOf(from, start, end) & (SLOT_COUNT - 1)
      for (; slots[slot] !== 0; slot = (slot + 1) & (SLOT_COUNT - 1)) {
        const number = slots[slot]! - 1
        const at = number === 0 ? 0 : ends[number - 1]!
        if (ends[number]! - at === end - start && isEqual(from, start, end, store, at))
          return number
      }
      return add(slot, from, start, end)
    },
    linesOf(number, { bytes }, start, end, width) {
      if (number < 0) return textLines(bytes, start, end, width)
      if (widths[number] !== width) {
        widths[number] = width
        lines[number] = textLines(bytes, start, end, width)
      }
      return lines[number]!
    },
    part() {
      const bytes = takeChunk(store)
      const items = ends.map((end, number) => {
        return `<si>${textElement(bytes.toString('utf8', ends[number - 1] ?? 0, end))}</si>`
      })
      recycleChunk(bytes)
      return `${XML}<sst xmlns="${MAIN}">${items.join('')}</sst>`
    },
  }
}

const FACTOR = 0x9e3779b1

function hashOf({ bytes, view }: ByteView, start: number, end: number): number {
  let hash = end - start
  let index = start
  for (; index + 4 <= end; index += 4) {
    hash = Math.imul(hash ^ view.getInt32(index), FACTOR)
    hash ^= hash >>> 15
  }
  for (; index < end; index += 1) hash = Math.imul(hash ^ bytes[index]!, FACTOR)
  return hash ^ (hash >>> 15)
}

function isEqual(from: ByteView, start: number, end: number, to: ByteView, at: number): boolean {
  let index = start
  const offset = at - start
  for (; index + 4 <= end; index += 4) {
    if (from.view.getInt32(index) !== to.view.getInt32(index + offset)) return false
  }
  for (; index < end; index += 1) {
    if (from.bytes[index] !== to.bytes[index + offset]) return false
  }
  return true
}

/** Readers may trim a text with an outer blank. */
const OUTER_BLANK = /^[\0- ]|[\0- ]$/

function textElement(text: string): string {
  return `<t${OUTER_BLANK.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t>`
}

/** UTF-16 code units; Excel reports a file with longer texts as corrupt. */
const MAX_CELL_LENGTH = 32_767

/** The XML of a text that is not shared, after its style. @param title of the column */
export function inlineText(title: string, text: string): string {
  const { length } = text
  if (length <= MAX_CELL_LENGTH) return ` t="inlineStr"><is>${textElement(text)}</is></c>`
  throw new OutputFullError({
    ru: `В столбце «${title}» есть значение длиной ${length} знаков, а ячейка Excel вмещает не больше ${MAX_CELL_LENGTH}. Возьмите отчёт в CSV или JSON.`,
    en: `The column "${title}" has a value of ${length} characters, and an Excel cell at most ${MAX_CELL_LENGTH}. Request the report as CSV or JSON.`,
  })
}

/** Of bytes that may be a part of an escaped character, and of blanks. */
const IS_SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) => {
  return byte < BLANK || byte === 0xef || '&<>"_'.includes(String.fromCharCode(byte)) ? 1 : 0
})
const INLINE = pieceOf(' t="inlineStr"><is><t>')
const INLINE_END = pieceOf('</t></is></c>')

/** Writes `inlineText`. Space for the text and 64 bytes must be reserved. */
export function writeInline(
  output: Output,
  title: string,
  { bytes }: ByteView,
  start: number,
  end: number,
): void {
  let special = Number(
    bytes[start] === BLANK || bytes[end - 1] === BLANK || end - start > MAX_CELL_LENGTH,
  )
  for (let index = start; index < end; index += 1) special |= IS_SPECIAL[bytes[index]!]!
  if (special === 0) {
    const at = copyBytes(bytes, start, end, output.bytes, writePiece(INLINE, output, output.length))
    output.length = writePiece(INLINE_END, output, at)
  } else writeText(output, inlineText(title, bytes.toString('utf8', start, end)))
}
