/** Texts of cells: sheets refer by number to those in `xl/sharedStrings.xml`; others are written in their cells. */
import type { ByteView } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { appendNumber, BLANK, copyBytes } from '../digits.ts'
import { OutputFullError } from '../format.ts'
import { reserve, type Output } from '../output.ts'
import { appendPiece, pieceOf } from '../piece.ts'
import { createTextIndex, type TextIndex } from '../text-index.ts'
import { textLines } from './layout.ts'
import { MAIN, XML, xmlText } from './xml.ts'

export interface Texts {
  /** Of the shared texts. */
  readonly index: TextIndex
  /** Lines of each shared text in a column of a width, the last of its columns. */
  readonly lines: number[]
  readonly widths: number[]
}

export function createTexts(): Texts {
  // why: longer texts rarely repeat
  const limits = { maxCount: 8192, maxBytes: 512 * 1024, maxTextBytes: 8 * 1024 }
  return { index: createTextIndex(limits), lines: [], widths: [] }
}

/** The part with the shared texts. */
export function textsPart({ index }: Texts): string {
  const items = Array.from({ length: index.count }, (_, number) => {
    return `<si>${textElement(index.textOf(number).toString())}</si>`
  })
  return `${XML}<sst xmlns="${MAIN}">${items.join('')}</sst>`
}

/** Readers may trim a text with an outer blank. */
const OUTER_BLANK = /^[\0- ]|[\0- ]$/

function textElement(text: string): string {
  return `<t${OUTER_BLANK.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t>`
}

/** Maximum length that a cell adds to its field. */
export const MAX_CELL_BYTES: Bytes = 128
/** UTF-16 code units; Excel reports a file with longer texts as corrupt. */
const MAX_CELL_LENGTH = 32_767

const SHARED = pieceOf(' t="s"><v>')
const SHARED_END = pieceOf('</v></c>')
const INLINE = pieceOf(' t="inlineStr"><is><t>')
const INLINE_END = pieceOf('</t></is></c>')
/** Bytes that may be a part of an escaped character. */
const IS_SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) => {
  return byte < BLANK || byte === 0xef || '&<>"_'.includes(String.fromCharCode(byte)) ? 1 : 0
})

/**
 * Writes the cell of a text after its style; `MAX_CELL_BYTES` and space for the text must be reserved.
 * @param title of the column, of this width
 * @returns its lines
 * @throws OutputFullError if it is longer than a cell can be
 */
export function writeCellText(
  output: Output,
  title: string,
  from: ByteView,
  start: number,
  end: number,
  { index, lines, widths }: Texts,
  width: number,
): number {
  const { bytes } = from
  const number = index.numberOf(from, start, end)
  if (number < 0) {
    writeInline(output, title, bytes, start, end)
    return textLines(bytes, start, end, width)
  }
  appendPiece(output, SHARED)
  appendNumber(output, number)
  appendPiece(output, SHARED_END)
  if (widths[number] !== width) {
    widths[number] = width
    lines[number] = textLines(bytes, start, end, width)
  }
  return lines[number]!
}

function writeInline(
  output: Output,
  title: string,
  bytes: Buffer,
  start: number,
  end: number,
): void {
  let special = Number(bytes[start] === BLANK || bytes[end - 1] === BLANK)
  for (let index = start; index < end; index += 1) special |= IS_SPECIAL[bytes[index]!]!
  if (special === 0 && end - start <= MAX_CELL_LENGTH) {
    appendPiece(output, INLINE)
    output.length = copyBytes(bytes, start, end, output.bytes, output.length)
    return appendPiece(output, INLINE_END)
  }
  const text = bytes.toString('utf8', start, end)
  const { length } = text
  if (length > MAX_CELL_LENGTH) {
    throw new OutputFullError({
      ru: `В столбце «${title}» есть значение длиной ${length} знаков, а ячейка Excel вмещает не больше ${MAX_CELL_LENGTH}. Возьмите отчёт в CSV или JSON.`,
      en: `The column "${title}" has a value of ${length} characters, and an Excel cell at most ${MAX_CELL_LENGTH}. Request the report as CSV or JSON.`,
    })
  }
  const xml = ` t="inlineStr"><is>${textElement(text)}</is></c>`
  reserve(output, Buffer.byteLength(xml))
  output.length += output.bytes.write(xml, output.length)
}
