/** One raw field as a JSON value. Digits pass through as they are, never by way of a float. */
import type { ColumnType, MetricFormat, RawField } from '../terms.ts'
import { FieldError } from './format.ts'
import { createLocalInstant } from './local-instant.ts'

/** @throws FieldError if the field is not of the type. */
export type JsonField = (raw: RawField) => string

const INTEGER = /^-?\d+$/
const DECIMAL = /^-?\d+(\.\d+)?$/
const MONTH = /^\d{4}-\d\d/
const DATE = /^\d{4}-\d\d-\d\d$/

/** @param name of the column or metric, for messages. */
export function createJsonField(
  name: string,
  type: ColumnType | MetricFormat,
  timeZone: string,
): JsonField {
  const toJson = encoder(type, timeZone)
  return raw => {
    if (raw === null) return 'null'
    const json = toJson(raw)
    if (json === undefined) throw new FieldError(`${name}: ${JSON.stringify(raw)} is no ${type}`)
    return json
  }
}

function encoder(
  type: ColumnType | MetricFormat,
  timeZone: string,
): (raw: string) => string | undefined {
  switch (type) {
    case 'text':
      return JSON.stringify
    case 'integer':
    case 'money':
      return raw => (INTEGER.test(raw) ? raw : undefined)
    case 'number':
    case 'percent':
    case 'days':
    case 'hours':
      return raw => (DECIMAL.test(raw) ? raw : undefined)
    case 'date':
      return raw => (DATE.test(raw) ? `"${raw}"` : undefined)
    case 'month':
      return raw => (MONTH.test(raw) ? `"${raw.slice(0, 7)}"` : undefined)
    case 'datetime': {
      const localInstant = createLocalInstant(timeZone)
      return raw => {
        const text = localInstant(raw)
        return text === undefined ? undefined : `"${text}"`
      }
    }
  }
}
