/** The schema and metadata of a Parquet file. Knows nothing of pages. */
import type { KeyValue, SchemaElement } from 'hyparquet'
import { inclusiveDates } from '../../../definitions/calendar.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { unitOf } from '../../../definitions/units.ts'
import type { Column, ColumnType } from '../../../model/terms.ts'
import type { Ending, BodySubject } from '../format.ts'
import { totalsJson } from '../json/json-field.ts'
import { DECIMAL_PRECISION, DECIMAL_SCALE } from './value.ts'

/** The root element, then one element per column. */
export function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'report', num_children: columns.length },
    ...columns.map(({ key, type }): SchemaElement => ({
      name: key,
      repetition_type: 'OPTIONAL',
      ...logical(type),
    })),
  ]
}

function logical(type: ColumnType): Omit<SchemaElement, 'name'> {
  switch (type) {
    case 'text':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
    case 'date':
    // why: a month is its first day, as with date_trunc, so that it can be joined and compared with dates
    case 'month':
      return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } }
    case 'datetime':
      return {
        type: 'INT64',
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      }
    case 'integer':
    case 'money':
      return { type: 'INT64' }
    case 'number':
    case 'percent':
      return {
        type: 'INT64',
        converted_type: 'DECIMAL',
        precision: DECIMAL_PRECISION,
        scale: DECIMAL_SCALE,
        logical_type: { type: 'DECIMAL', precision: DECIMAL_PRECISION, scale: DECIMAL_SCALE },
      }
  }
}

/**
 * What the JSON body contains besides its rows, and the units of columns.
 * @throws FieldError if a total is not of its column's type.
 */
export function metadataOf(
  { definition, organization, period, comparison }: BodySubject,
  { totals, summary }: Ending,
): KeyValue[] {
  const { columns, code, title } = definition
  const { timeZone } = organization
  const values = {
    code,
    title,
    period: JSON.stringify(inclusiveDates(period)),
    ...(comparison && { comparison: JSON.stringify(inclusiveDates(comparison)) }),
    timeZone,
    columns: JSON.stringify(columns.map(column => columnMetadata(definition, column))),
    totals: totalsJson(definition, timeZone, totals),
    summary,
  }
  return Object.entries(values).map(([key, value]) => ({ key: `svodka.${key}`, value }))
}

function columnMetadata(definition: ReportDefinition, column: Column): object {
  const unit = unitOf(definition, column)
  return unit === null ? column : { ...column, unit }
}
