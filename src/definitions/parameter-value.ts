/** Values of parameters as texts: one canonical form for each value, which PostgreSQL casts to the parameter's type. */
import type { Detail } from '../model/errors.ts'
import { isDate } from './calendar.ts'

interface ValueType {
  /** Of PostgreSQL. */
  readonly cast: string
  /** Undefined if the text has not the form of the type. */
  readonly canonical: (text: string) => string | undefined
  readonly expected: Detail
  /** Undefined if its values have no order that a minimum refers to. */
  readonly compare?: (a: string, b: string) => number
}

/** Of PostgreSQL's bigint. */
const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n
const MAX_DIGITS = 38
const MAX_CHARACTERS = 200

const wholeNumber = {
  cast: 'bigint',
  canonical(text: string) {
    if (!/^-?(?:0|[1-9]\d{0,18})$/.test(text)) return undefined
    const value = BigInt(text)
    return value >= LEAST && value <= MOST ? String(value) : undefined
  },
  compare: (a: string, b: string) => sign(BigInt(a) - BigInt(b)),
}

const VALUE_TYPES = {
  text: {
    cast: 'text',
    canonical(text) {
      const { length } = Array.from(text.slice(0, 2 * MAX_CHARACTERS + 1))
      // why: bytes that are not UTF-8 are decoded as U+FFFD, and would find nothing
      const isWhole = length > 0 && length <= MAX_CHARACTERS && !/[\p{Cc}\uFFFD]/u.test(text)
      return isWhole ? text : undefined
    },
    expected: texts => texts.aText(MAX_CHARACTERS),
  },
  integer: { ...wholeNumber, expected: texts => texts.aWholeNumber },
  money: { ...wholeNumber, expected: texts => texts.anAmount },
  number: {
    cast: 'numeric',
    canonical(text) {
      // why: of a long text, the expression would try each part
      if (text.length > 3 * MAX_DIGITS) return undefined
      const [, minus = '', whole = '', digits = ''] =
        /^(-?)0*(\d{1,38})(?:\.(\d{1,38}))?$/.exec(text) ?? []
      if (whole === '' || whole.length + digits.length > MAX_DIGITS) return undefined
      const fraction = digits.replace(/0+$/, '')
      const value = fraction === '' ? whole : `${whole}.${fraction}`
      return value === '0' ? value : minus + value
    },
    expected: texts => texts.aNumber(MAX_DIGITS),
    compare: (a, b) => sign(scaled(a) - scaled(b)),
  },
  date: {
    cast: 'date',
    canonical: text => (isDate(text) ? text : undefined),
    expected: texts => texts.aDate,
    compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  },
  boolean: {
    cast: 'boolean',
    canonical: text => (text === 'true' || text === 'false' ? text : undefined),
    expected: texts => texts.aBoolean,
  },
  uuid: {
    cast: 'uuid',
    canonical(text) {
      const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
      return isUuid ? text.toLowerCase() : undefined
    },
    expected: texts => texts.aUuid,
  },
} as const satisfies Record<string, ValueType>

export type ParameterType = keyof typeof VALUE_TYPES
export const PARAMETER_TYPES = Object.keys(VALUE_TYPES) as ParameterType[]

export function valueType(type: ParameterType): ValueType {
  return VALUE_TYPES[type]
}

/** The value as JSON: digits are copied, never converted to a float. @param value canonical */
export function valueJson(type: ParameterType, value: string | null): string {
  if (value === null) return 'null'
  return ['text', 'date', 'uuid'].includes(type) ? JSON.stringify(value) : value
}

function sign(difference: bigint): number {
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** A canonical decimal, in units of its last possible digit. */
function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(MAX_DIGITS, '0'))
}
