// The expected JSON of a field, computed with regular expressions, JSON.stringify and Intl.
import type { ColumnType } from '../../src/model/terms.ts'

const INTEGER = /^-?\d+$/
const DECIMAL = /^-?\d+(\.\d+)?$/
const MONTH = /^\d{4}-\d\d/
const DATE = /^\d{4}-\d\d-\d\d$/
const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?\+00$/

/** Undefined if the text is not of the type. */
export function expectedJson(type: ColumnType, raw: string, timeZone: string): string | undefined {
  switch (type) {
    case 'text':
      return JSON.stringify(raw)
        .replaceAll('\u0085', '\\u0085')
        .replaceAll('\u2028', '\\u2028')
        .replaceAll('\u2029', '\\u2029')
    case 'integer':
    case 'money':
      return INTEGER.test(raw) ? raw : undefined
    case 'number':
    case 'percent':
      return DECIMAL.test(raw) ? raw : undefined
    case 'date':
      return DATE.test(raw) ? `"${raw}"` : undefined
    case 'month':
      return MONTH.test(raw) ? `"${raw.slice(0, 7)}"` : undefined
    case 'datetime': {
      const [matched, date, time, fraction = ''] = INSTANT.exec(raw) ?? []
      if (matched === undefined) return undefined
      const [local, offset] = localTime(new Date(`${date}T${time}Z`), timeZone)
      return `"${local}${fraction}${offset}"`
    }
  }
}

/** Local mean time, used before time zones, is rounded to minutes. */
function localTime(instant: Date, timeZone: string): [local: string, offset: string] {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const zone = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value
  const [, sign = '+', hours = 0, minutes = 0, seconds = 0] =
    /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(zone ?? '') ?? []
  const exact = Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
  const offset = Math.round(sign === '-' ? -exact : exact)
  const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 19)
  const two = (value: number): string => String(value).padStart(2, '0')
  const distance = Math.abs(offset)
  return [local, `${offset < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`]
}

/** The value of JSON without quotes and escapes. */
export function plainValue(type: ColumnType, raw: string): string {
  const json = expectedJson(type, raw, 'Europe/Moscow')!
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

export const dayFirst = (day: string): string => day.split('-').toReversed().join('.')

/** The field for an Excel with a decimal comma; formulas are escaped. */
export function excelValue(type: ColumnType, raw: string): string {
  const value = plainValue(type, raw)
  switch (type) {
    case 'text':
      return isFormula(value) ? `'${value}` : value
    case 'money': {
      const kopecks = value.replace('-', '').padStart(3, '0')
      return `${value.startsWith('-') ? '-' : ''}${kopecks.slice(0, -2)},${kopecks.slice(-2)}`
    }
    case 'date':
    case 'month':
      return dayFirst(value)
    case 'datetime':
      return `${dayFirst(value.slice(0, 10))} ${value.slice(11, 19)}`
    default:
      return value.replace('.', ',')
  }
}

/** Whether a spreadsheet may execute the text. */
function isFormula(text: string): boolean {
  const first = text.replace(/^[\s\p{Cc}\p{Cf}"']+/u, '').charAt(0)
  const startsFormula = first !== '' && '=+-@＝＋－＠'.includes(first)
  return text !== '-' && (startsFormula || /^[\t\r\n]/.test(text))
}
