/** All formats of reports, and their names in requests. */
import type { ReportFormat } from '../../model/terms.ts'
import { CSV_FORMAT } from './csv/csv.ts'
import { EXCEL_CSV_FORMAT } from './csv/excel-csv.ts'
import type { Format } from './format.ts'
import { JSON_FORMAT, NDJSON_END_FORMAT, NDJSON_FORMAT } from './json/json.ts'
import { PARQUET_FORMAT } from './parquet/parquet.ts'
import { XLSX_FORMAT } from './xlsx/xlsx.ts'

interface OfferedFormat {
  readonly format: Format
  /** Other media types that match `Accept`. */
  readonly aliases?: readonly string[]
  /** A variant that a query parameter selects. */
  readonly variant?: {
    readonly parameter: 'end' | 'preset'
    readonly value: string
    readonly format: Format
  }
}

export const OFFERED_FORMATS: Readonly<Record<ReportFormat, OfferedFormat>> = {
  json: { format: JSON_FORMAT },
  ndjson: {
    format: NDJSON_FORMAT,
    aliases: ['application/ndjson', 'application/jsonl'],
    variant: { parameter: 'end', value: 'true', format: NDJSON_END_FORMAT },
  },
  csv: {
    format: CSV_FORMAT,
    variant: { parameter: 'preset', value: 'excel', format: EXCEL_CSV_FORMAT },
  },
  xlsx: { format: XLSX_FORMAT },
  parquet: { format: PARQUET_FORMAT, aliases: ['application/x-parquet'] },
}

/** Without its parameters, such as the charset. */
export function mediaTypeOf({ contentType }: Format): string {
  return contentType.split(';', 1)[0]!
}

/** Variants too. */
export const ALL_FORMATS: readonly Format[] = Object.values(OFFERED_FORMATS).flatMap(
  ({ format, variant }) => (variant === undefined ? [format] : [format, variant.format]),
)

export async function loadFormats(): Promise<void> {
  for (const format of ALL_FORMATS) await format.load?.()
}
