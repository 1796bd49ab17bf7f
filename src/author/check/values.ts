/** Whether values have the type of their column, by the gateway's encoder. */
import { createJsonField } from '../../serve/formats/json/json-field.ts'
import { FieldError } from '../../serve/formats/format.ts'
import { viewOf } from '../../model/row-bytes.ts'
import type { ColumnType, MetricFormat, RawField } from '../../model/terms.ts'
import type { AddFault } from './kinds.ts'
import type { QueryResult } from './session.ts'
import { createValueEnd } from '../../serve/formats/plain-field.ts'

type Type = ColumnType | MetricFormat

interface TypedName {
  readonly name: string
  readonly type: Type
  readonly line: number
}

/** Ignores columns that are not selected: they are already reported. */
export function addValueFaults(
  { fields, rows }: Pick<QueryResult, 'fields' | 'rows'>,
  columns: readonly TypedName[],
  timeZone: string,
  where: string,
  add: AddFault,
): void {
  for (const { name, type, line } of columns) {
    const at = fields.findIndex(field => field.name === name)
    const encode = createJsonField(name, type, timeZone)
    const wrong = rows.find(row => {
      const value = row[at] ?? null
      const prepared = preparedValue(type, value, timeZone)
      return (value !== null && prepared === null) || !fits(encode, type, prepared)
    })
    if (wrong === undefined) continue
    const found = `column "${name}" is ${JSON.stringify(wrong[at])} ${where}`
    add('value', line, found, EXPECTED[type] ?? 'a number that is finite')
  }
}

/** The value as formats write it: null if none can hold it. */
export function preparedValue(type: Type, value: RawField, timeZone: string): RawField {
  if (value === null || type === 'text') return value
  const bytes = Buffer.from(value)
  const end = createValueEnd(type, timeZone)({ bytes, view: viewOf(bytes) }, 0, bytes.length)
  return end < 0 ? null : bytes.toString('utf8', 0, end)
}

function fits(encode: (value: RawField) => string, type: Type, value: RawField): boolean {
  try {
    encode(value)
  } catch (error) {
    if (error instanceof FieldError) return false
    throw error
  }
  return type !== 'month' || value === null || /^\d{4}-(0[1-9]|1[0-2])(?!\d)/.test(value)
}

const EXPECTED: Readonly<Partial<Record<Type, string>>> = {
  text: 'a text',
  date: 'a date of the years 0001-9999',
  month: 'a month as 2026-03',
  datetime: 'an instant of the years 0001-9999',
  integer: 'an integer without a fraction',
  money: 'money, a whole number of its smallest unit',
}
