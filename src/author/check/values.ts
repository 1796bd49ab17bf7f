/** Whether a value is of its column's type, as the encoder of answers sees it. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { createJsonField } from '../../serve/formats/json/json-field.ts'
import { createIsOutOfRange, isDateType } from '../../serve/formats/date-range.ts'
import { FieldError } from '../../serve/formats/format.ts'
import { viewOf } from '../../model/row-bytes.ts'
import type { ColumnType, MetricFormat, RawField } from '../../model/terms.ts'
import type { Question } from './questions.ts'
import type { Firsts } from './firsts.ts'
import type { Prepared } from './subject.ts'

type Type = ColumnType | MetricFormat

export interface ValueCheck {
  /** @param value undefined where there is no such column, which is said elsewhere */
  (name: string, type: Type, value: RawField | undefined, line: number, where: string): void
  /** Whether any value was wrong. */
  hasFound(): boolean
}

export function createValueCheck(
  { source }: AnyDefinition,
  { mistyped }: Prepared,
  { organization, said }: Question,
  { add }: Firsts,
): ValueCheck {
  const encoders = new Map<string, (value: RawField) => string>()
  let found = false
  const check = (
    name: string,
    type: Type,
    value: RawField | undefined,
    line: number,
    where: string,
  ): void => {
    if (value === undefined || mistyped.has(name)) return
    const encode = encoders.get(name) ?? createJsonField(name, type, organization.timeZone)
    encoders.set(name, encode)
    if (fits(encode, type, value) && !isOutOfRange(type, value, organization.timeZone)) return
    found = true
    const message = `column "${name}" is ${JSON.stringify(value)} ${where} (${said}), expected ${EXPECTED[type]}`
    add(`value of ${name}`, line || source.firstLine, message)
  }
  return Object.assign(check, { hasFound: () => found })
}

/** Sent as null, which its author did not mean. */
function isOutOfRange(type: Type, value: RawField, timeZone: string): boolean {
  if (value === null || !isDateType(type)) return false
  const bytes = Buffer.from(value)
  return createIsOutOfRange(type, timeZone)({ bytes, view: viewOf(bytes) }, 0, bytes.length)
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

const DECIMAL = 'a number that is finite'

const EXPECTED: Readonly<Record<Type, string>> = {
  text: 'a text',
  date: 'a date of the years 0001-9999',
  month: 'a month as 2026-03',
  datetime: 'an instant of the years 0001-9999',
  integer: 'an integer without a fraction',
  number: DECIMAL,
  percent: DECIMAL,
  money: 'money, whole kopecks',
  days: DECIMAL,
  hours: DECIMAL,
}
