/** JSON Schema of rows, for tools whose streams declare one. */
import type { ColumnType } from '../../model/terms.ts'
import type { ReportSchema } from '../openapi/schema.ts'

const TYPES: Readonly<Record<ColumnType, object>> = {
  text: { type: ['string', 'null'] },
  month: { type: ['string', 'null'] },
  date: { type: ['string', 'null'], format: 'date' },
  datetime: { type: ['string', 'null'], format: 'date-time' },
  integer: { type: ['integer', 'null'] },
  money: { type: ['integer', 'null'] },
  number: { type: ['number', 'null'] },
  percent: { type: ['number', 'null'] },
}

export function rowJsonSchema({ columns }: ReportSchema): object {
  const properties = Object.fromEntries(columns.map(({ key, type }) => [key, TYPES[type]]))
  return { type: 'object', properties }
}
