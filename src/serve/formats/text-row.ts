import { viewOf, type RowBytes } from '../../model/row-bytes.ts'
import type { RawField } from '../../model/terms.ts'

/** A row that is not PostgreSQL's: titles, totals. */
export function rowOfTexts(texts: readonly RawField[]): RowBytes {
  const bytes = Buffer.from(texts.join(''))
  const starts = new Int32Array(texts.length)
  const ends = new Int32Array(texts.length)
  let at = 0
  for (const [place, text] of texts.entries()) {
    starts[place] = text === null ? -1 : at
    at += Buffer.byteLength(text ?? '')
    ends[place] = at
  }
  const fieldCount = texts.length
  return { bytes, view: viewOf(bytes), start: 0, end: at, starts, ends, fieldCount }
}
