/** Rows as a writer gets them, and what a format makes of them. */
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import type { Format } from '../../src/formats/format.ts'
import { createOutput, takeAll } from '../../src/formats/output.ts'
import { viewOf, type RowBytes } from '../../src/row-bytes.ts'
import type { RawField } from '../../src/terms.ts'

export const ORGANIZATION = {
  id: '7',
  idType: 'integer',
  timeZone: 'Europe/Moscow',
  entitled: true,
}
export const PERIOD = { start: '2026-01-01', end: '2027-01-01' }
export const TODAY = '2026-11-21'

/** As it would lie in a packet, with other bytes around. */
export function rowOf(fields: ReadonlyArray<Buffer | string | null>): RowBytes {
  const starts = new Int32Array(fields.length)
  const ends = new Int32Array(fields.length)
  const parts: Buffer[] = [Buffer.from('before')]
  let at = 6
  for (const [place, field] of fields.entries()) {
    const bytes = Buffer.from(field ?? '')
    starts[place] = field === null ? -1 : at
    at += bytes.length
    ends[place] = at
    parts.push(bytes)
  }
  const bytes = Buffer.concat([...parts, Buffer.from('after')])
  const fieldCount = fields.length
  return { bytes, view: viewOf(bytes), start: 6, end: at, starts, ends, fieldCount }
}

export type Row = ReadonlyArray<Buffer | string | null>

/**
 * The whole body, of rows whose fields stand in the order of the definition's columns, or where `places` say.
 * @param totals column or fact to what PostgreSQL printed
 */
export function written(
  format: Format,
  definition: ReportDefinition,
  rows: readonly Row[],
  totals: Readonly<Record<string, RawField>>,
  places: readonly number[] = definition.columns.map((_, order) => order),
): Buffer {
  const output = createOutput(format.isText)
  const writer = format.createWriter({ definition, organization: ORGANIZATION, period: PERIOD })
  writer.head(output)
  for (const row of rows) writer.row(output, rowOf(row), places)
  const fields = new Map(Object.entries(totals))
  const rowCount = rows.length
  const summary = definition.summarize({ fields, rowCount, period: PERIOD, today: TODAY })
  writer.tail(output, { totals: fields, rowCount, summary })
  return takeAll(output)
}
