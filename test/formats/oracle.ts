// What a field should be as JSON, said plainly: with regular expressions, JSON.stringify and Intl.
import type { ColumnType } from '../../src/terms.ts'

const INTEGER = /^-?\d+$/
const DECIMAL = /^-?\d+(\.\d+)?$/
const MONTH = /^\d{4}-\d\d/
const DATE = /^\d{4}-\d\d-\d\d$/
const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?\+00$/

/** Undefined where it is not of the type. */
export function expectedJson(type: ColumnType, raw: string, timeZone: string): string | undefined {
  switch (type) {
    case 'text':
      return JSON.stringify(raw)
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

/** From the year 1970 on, when offsets are whole minutes. */
function localTime(instant: Date, timeZone: string): [local: string, offset: string] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const local = format.format(instant).replace(' ', 'T')
  const minutes = (Date.parse(`${local}Z`) - instant.getTime()) / 60_000
  const two = (value: number): string => String(value).padStart(2, '0')
  const away = Math.abs(minutes)
  return [local, `${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`]
}
