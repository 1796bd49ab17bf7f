/** Rows and fields from strings instead of PostgreSQL's bytes: titles, totals, metrics. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import { viewOf, type RowBytes } from '../../model/row-bytes.ts'
import type { RawField } from '../../model/terms.ts'
import { TOTALS_LABEL, type Ending } from './format.ts'

export function rowOfTexts(texts: readonly RawField[]): RowBytes {
  const bytes = Buffer.from(texts.join(''))
  const starts = new Int32Array(texts.length)
  const ends = new Int32Array(texts.length)
  let at = 0
  for (const [index, text] of texts.entries()) {
    starts[index] = text === null ? -1 : at
    at += Buffer.byteLength(text ?? '')
    ends[index] = at
  }
  const fieldCount = texts.length
  return { bytes, view: viewOf(bytes), start: 0, end: at, starts, ends, fieldCount }
}

/** The totals of the visible columns in order, with the label. */
export function totalsOf(
  { columns, labelColumn }: ReportDefinition,
  totals: Ending['totals'],
): RawField[] {
  return columns.map(({ key }) => (key === labelColumn ? TOTALS_LABEL : (totals.get(key) ?? null)))
}

/** @see totalsOf */
export function totalsRow(definition: ReportDefinition, totals: Ending['totals']): RowBytes {
  return rowOfTexts(totalsOf(definition, totals))
}

/** Field indexes of such rows, up to PostgreSQL's maximum of 1664 columns. */
export const IN_ORDER: readonly number[] = Array.from({ length: 1664 }, (_, index) => index)
