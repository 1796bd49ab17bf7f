/** Reads files of each format into values that are as close to JSON's as the format allows. */
import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import type { Column, ColumnType } from '../../src/model/terms.ts'
import { readCsv } from './csv/read-csv.ts'
import { readWorkbook } from './xlsx/reader.ts'

export type Value = string | number | null
type Values = readonly Value[]

/** Numbers and percents are compared as numbers; local times of a file, to the second; Excel has no early dates. */
export function expectedValue(value: Value, type: ColumnType, format: string): Value {
  const isEarly =
    type === 'date' || type === 'month' || type === 'datetime' ? value! < '1900-03' : false
  if (format === 'xlsx' && isEarly) return null
  if (type !== 'datetime' || typeof value !== 'string') return value
  if (format === 'parquet') return new Date(value).toISOString()
  return format === 'csv' || format === 'ndjson' ? value : value.slice(0, 19)
}

/** What differs between products. */
interface Style {
  /** Of CSV for Excel. */
  readonly separator: ',' | ';'
  readonly decimal: string
  readonly isDayFirst: boolean
  /** Digits of money in a row. */
  readonly digitsOf: (at: number) => number
}

const RUSSIAN: Style = { separator: ';', decimal: ',', isDayFirst: true, digitsOf: () => 2 }

export const READERS: Readonly<
  Record<string, (body: Buffer, columns: readonly Column[], style?: Style) => Promise<Values[]>>
> = {
  async ndjson(body, columns) {
    const lines = body.toString().split('\n').slice(0, -1)
    return lines.map(line => {
      const row = JSON.parse(line) as Record<string, Value>
      return columns.map(({ key }) => row[key]!)
    })
  },
  async csv(body, columns) {
    const [header, ...rows] = readCsv(body.toString(), ',')
    if (String(header) !== String(columns.map(({ key }) => key)))
      throw new Error(`found ${String(header)}`)
    return rows.map(row => row.map((field, at) => ofCsv(field, columns[at]!.type)))
  },
  async excel(body, columns, style = RUSSIAN) {
    const [header, ...rows] = readCsv(body.toString().slice(1), style.separator)
    const titles = columns.map(({ title }) => title)
    if (String(header) !== String(titles)) throw new Error(`found ${String(header)}`)
    return rows.slice(0, -1).map((row, number) => {
      const digits = style.digitsOf(number)
      return row.map((field, at) => ofExcel(field, columns[at]!.type, style, digits))
    })
  },
  async xlsx(body, columns, { digitsOf } = RUSSIAN) {
    const [header, ...rows] = readWorkbook(body).rows
    const found = Array.from(header!.values(), ({ text }) => text)
    const titles = columns.map(({ title }) => title)
    if (String(found) !== String(titles)) throw new Error(`found ${String(found)}`)
    return rows.slice(0, -1).map((cells, number) =>
      columns.map(({ type }, at) => {
        const text = cells.get(lettersOf(at))?.text
        return text === undefined ? null : ofCell(text, type, digitsOf(number))
      }),
    )
  },
  async parquet(body, columns) {
    const rows = await parquetReadObjects({
      file: new Uint8Array(body).buffer,
      compressors: { GZIP: input => gunzipSync(input) },
    })
    return rows.map(row => columns.map(({ key, type }) => ofParquet(row[key], type)))
  },
}

/** Of a column with a number below 702. */
function lettersOf(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : `${lettersOf(Math.floor(at / 26) - 1)}${last}`
}

function isNumber(type: ColumnType): boolean {
  return type === 'integer' || type === 'number' || type === 'percent' || type === 'money'
}

function ofCsv(field: string | null, type: ColumnType): Value {
  return field !== null && isNumber(type) ? Number(field) : field
}

function ofExcel(
  field: string | null,
  type: ColumnType,
  { decimal, isDayFirst }: Style,
  digits: number,
): Value {
  if (field === null) return null
  if (type === 'money') {
    const [whole = '', fraction = ''] = field.split(decimal)
    if (fraction.length !== digits) throw new Error(`found ${field}, expected ${digits} digits`)
    return Number(whole + fraction)
  }
  if (isNumber(type)) return Number(field.replace(decimal, '.'))
  if (type === 'text') return field.replace(/^'/, '').replace(/^(\S+ \d{4}) года$/, '$1')
  const [date = '', time] = field.split(' ')
  const iso = isDayFirst ? date.split('.').toReversed().join('-') : date
  return time === undefined ? iso : `${iso}T${time}`
}

const DAY_MS = 86_400_000

function ofCell(text: string, type: ColumnType, digits: number): Value {
  if (type === 'text') return text
  if (text === '') return null
  const figure = Number(text)
  if (type === 'money') return Math.round(figure * 10 ** digits)
  if (type === 'percent') return Number((figure * 100).toPrecision(12))
  if (isNumber(type)) return figure
  // why: rounded to milliseconds, then cut: half a second is not a limit between two expected values
  const local = new Date(Date.UTC(1899, 11, 30) + Math.round(figure * DAY_MS))
  const length = { date: 10, month: 7, datetime: 19 }[type as 'date' | 'month' | 'datetime']
  return local.toISOString().slice(0, length)
}

function ofParquet(value: unknown, type: ColumnType): Value {
  if (value instanceof Date) {
    const iso = value.toISOString()
    return type === 'datetime' ? iso : iso.slice(0, type === 'date' ? 10 : 7)
  }
  if (typeof value === 'bigint') return Number(value)
  // why: hyparquet converts decimals to floats
  if (typeof value === 'number') return Number(value.toPrecision(12))
  return (value as string | undefined) ?? null
}
