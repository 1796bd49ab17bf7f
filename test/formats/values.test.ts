// How each format writes a value, and which values are rejected.
import { expect } from 'chai'
import * as fc from 'fast-check'
import { CSV_FORMAT } from '../../src/serve/formats/csv/csv.ts'
import { EXCEL_CSV_FORMAT } from '../../src/serve/formats/csv/excel-csv.ts'
import { FieldError, type Format } from '../../src/serve/formats/format.ts'
import { JSON_FORMAT, NDJSON_FORMAT } from '../../src/serve/formats/json/json.ts'
import { PARQUET_FORMAT } from '../../src/serve/formats/parquet/parquet.ts'
import { textTable } from '../../src/author/terminal/text-table.ts'
import { XLSX_FORMAT } from '../../src/serve/formats/xlsx/xlsx.ts'
import { COLUMN_TYPES, type ColumnType } from '../../src/model/terms.ts'
import { expectedJson } from './oracle.ts'
import { cellsOf, OF_TYPE, SALES, bodyOf } from './report-body.ts'
import { readWorkbook } from './xlsx/reader.ts'

const TERMINAL = textTable()
const MSK = 'Europe/Moscow'

/** The value in the CSV for Excel, in a workbook (type, value and number format), and on a terminal; JSON has an oracle. */
function valuesOf(type: ColumnType, raw: string | null, timeZone = MSK): string[] {
  const bodyIn = (format: Format) => bodyOf(format, OF_TYPE[type], [['a', raw]], { timeZone })
  const excel = bodyIn(EXCEL_CSV_FORMAT).toString().split('\r\n').slice(1, -2).join('\r\n')
  const cell = readWorkbook(bodyIn(XLSX_FORMAT)).rows[1]!.get('B')
  return [
    excel.slice('a;'.length),
    cell === undefined ? '' : `${cell.type} ${cell.text} as ${shownFormat(cell.format)}`,
    /\na(?: +(.*))?\n─/.exec(bodyIn(TERMINAL).toString())![1] ?? '',
  ]
}

/** Without the space at its end, and the format of zero. */
function shownFormat(format: string): string {
  return format.split(';')[0]!.replace(/_0$/, '')
}

const LONG = '123456789012345678901234567890'
const SIXES = '6'.repeat(60)
const THIRDS = '3'.repeat(60)

/** Type, text from PostgreSQL, then as `valuesOf`. */
const VALUES = `
money   | 0          | 0,00       | n 0 as #,##0.00\\ "₽"          | 0,00 ₽
money   | -5         | -0,05      | n -0.05 as #,##0.00\\ "₽"      | −0,05 ₽
money   | 50         | 0,50       | n 0.5 as #,##0.00\\ "₽"        | 0,50 ₽
money   | -100       | -1,00      | n -1.00 as #,##0.00\\ "₽"      | −1,00 ₽
money   | 123456789  | 1234567,89 | n 1234567.89 as #,##0.00\\ "₽" | 1 234 567,89 ₽
money   | 9007199254740993 | 90071992547409,93 | s 90071992547409.93 as @ | 90 071 992 547 409,93 ₽
integer | -1234      | -1234      | n -1234 as #,##0               | −1 234
integer | ${LONG}    | ${LONG}    | s ${LONG} as @                 | 123 456 789 012 345 678 901 234 567 890
number  | 3          | 3          | n 3 as #,##0                   | 3
number  | 1234.500   | 1234,500   | n 1234.500 as #,##0.000        | 1 234,5
number  | 0.000${THIRDS} | 0,000${THIRDS} | n ${Number(`0.000${THIRDS}`)} as #,##0.0000 | 0
number  | 12.${SIXES}    | 12,${SIXES}    | n ${Number(`12.${SIXES}`)} as #,##0.0000 | 12,667
percent | 12.5       | 12,5       | n 0.125 as 0.0\\ %             | 12,5 %
percent | -3         | -3         | n -0.03 as 0\\ %               | −3 %
percent | 1234.05    | 1234,05    | n 12.3405 as 0.00\\ %          | 1 234,05 %
date    | 2026-12-31 | 31.12.2026 | n 46387 as dd\\.mm\\.yyyy      | 2026-12-31
date    | 1900-03-01 | 01.03.1900 | n 61 as dd\\.mm\\.yyyy         | 1900-03-01
date    | 1900-02-28 | 28.02.1900 | n  as dd\\.mm\\.yyyy           | 1900-02-28
month   | 2026-01-31 | 01.2026    | n 46023 as mm\\.yyyy           | 2026-01`

/** Instant in UTC, time zone, local instant, then as `valuesOf`. Includes changes of the offset. */
const INSTANTS = `
2026-12-31 21:00:00.25   | Europe/Moscow    | 2027-01-01T00:00:00.25+03:00   | 01.01.2027 00:00:00 | n 46388.00000289352 as dd\\.mm\\.yyyy\\ hh:mm:ss.000
2026-03-01 20:59:59      | Europe/Moscow    | 2026-03-01T23:59:59+03:00      | 01.03.2026 23:59:59 | n 46082.99998842593 as dd\\.mm\\.yyyy\\ hh:mm:ss
2026-03-01 20:59:59.9999 | Europe/Moscow    | 2026-03-01T23:59:59.9999+03:00 | 01.03.2026 23:59:59 | n 46082.99999998843 as dd\\.mm\\.yyyy\\ hh:mm:ss.000
2014-10-25 21:59:59      | Europe/Moscow    | 2014-10-26T01:59:59+04:00      | 26.10.2014 01:59:59 | n 41938.08332175926 as dd\\.mm\\.yyyy\\ hh:mm:ss
2014-10-25 22:00:00      | Europe/Moscow    | 2014-10-26T01:00:00+03:00      | 26.10.2014 01:00:00 | n 41938.04166666667 as dd\\.mm\\.yyyy\\ hh:mm:ss
2026-03-08 06:59:59      | America/New_York | 2026-03-08T01:59:59-05:00      | 08.03.2026 01:59:59 | n 46089.08332175926 as dd\\.mm\\.yyyy\\ hh:mm:ss
2026-03-08 07:00:00      | America/New_York | 2026-03-08T03:00:00-04:00      | 08.03.2026 03:00:00 | n 46089.12500000000 as dd\\.mm\\.yyyy\\ hh:mm:ss
1880-06-01 10:00:00.5    | Europe/Moscow    | 1880-06-01T12:30:00.5+02:30    | 01.06.1880 12:30:00 | n  as dd\\.mm\\.yyyy\\ hh:mm:ss
0001-01-01 00:00:00      | Europe/Moscow    | 0001-01-01T02:30:00+02:30      | 01.01.0001 02:30:00 | n  as dd\\.mm\\.yyyy\\ hh:mm:ss`

describe('a value', () => {
  for (const [type, raw, ...expected] of cellsOf(VALUES)) {
    it(`has its form in each format: ${type} ${raw!.slice(0, 20)}`, () => {
      expect(valuesOf(type as ColumnType, raw!)).to.deep.equal(expected)
    })
  }

  for (const [utc, timeZone, iso, excel, cell] of cellsOf(INSTANTS)) {
    it(`has its form in each format: ${utc} in ${timeZone}`, () => {
      const raw = `${utc}+00`
      expect(valuesOf('datetime', raw, timeZone)).to.deep.equal([
        excel,
        cell,
        iso!.slice(0, 19).replace('T', ' '),
      ])
      const json = bodyOf(NDJSON_FORMAT, OF_TYPE.datetime, [['a', raw]], { timeZone: timeZone! })
      expect(json.toString()).to.equal(`{"label":"a","value":"${iso}"}\n`)
    })
  }

  it('that is a text stays on one line on a terminal', () => {
    const lines = 'две\r\nстроки\t"«я»" 🙂'
    const quoted = `"${lines.replaceAll('"', '""')}"`
    const [escape, shown] = ['\u001b[31mx\u202e', '\ufffd[31mx\ufffd']
    expect(valuesOf('text', lines)).to.deep.equal([
      quoted,
      `s ${lines} as @`,
      'две↵строки "«я»" 🙂',
    ])
    expect(valuesOf('text', escape)).to.deep.equal([`"${escape}"`, `s ${escape} as @`, shown])
    expect(valuesOf('text', '')).to.deep.equal(['""', 's  as @', ''])
  })

  it('that is null has no cell, and is a dash on a terminal', () => {
    for (const type of COLUMN_TYPES) expect(valuesOf(type, null)).to.deep.equal(['', '', '—'])
  })
})

const FORMATS = {
  json: JSON_FORMAT,
  ndjson: NDJSON_FORMAT,
  csv: CSV_FORMAT,
  excel: EXCEL_CSV_FORMAT,
  xlsx: XLSX_FORMAT,
  parquet: PARQUET_FORMAT,
  terminal: TERMINAL,
}

/** The formats that parse dates. */
const TYPED = ['xlsx', 'parquet']

/** @returns the formats that accept the value; the others must name column, value and type */
function acceptingFormats(type: ColumnType, raw: string, formats: readonly string[]): string[] {
  return formats.filter(name => {
    const format = FORMATS[name as keyof typeof FORMATS]
    try {
      bodyOf(format, OF_TYPE[type], [['a', raw]])
      return true
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      expect(error.message).to.equal(`value: ${JSON.stringify(raw)} is no ${type}`)
      return false
    }
  })
}

const NO_NUMBERS =
  '|-|--1|+1|1 | 1|1\n|٣|1e3|1.|.5|-.5|1.-5|1.5.2|12,5|1.٣|NaN|Infinity|5.x|12345678901234567890x'
const NO_INSTANTS = [
  '|infinity|2026-03-01|2026-03-01 10:00:00|2026-03-01 10:00:00+03|2026-03-01T10:00:00+00',
  '2026-03-01 10:00:00.+00|2026-03-01 10:00:00.1x+00|12026-03-01 10:00:00+00',
  '0044-03-15 10:00:00+00 BC|2026-03-01 10-00:00+00|2026-03-01 10:00-00+00',
  '2026-03-01 10:00:00+0x|2026-03-01 1x:00:00+00|2026x03-01 10:00:00+00',
].join('|')

describe('a value that is not of its type', () => {
  const wrong: Readonly<Record<Exclude<ColumnType, 'text'>, string>> = {
    integer: `${NO_NUMBERS}|1.0`,
    money: `${NO_NUMBERS}|12.50`,
    number: NO_NUMBERS,
    percent: NO_NUMBERS,
    date: '|infinity|2026-1-1|2026-01-01 00:00:00|12026-01-01|2026-01x01',
    month: '|март|2026|2026-1|12026-01-01|infinity',
    datetime: NO_INSTANTS,
  }
  for (const [type, fields] of Object.entries(wrong)) {
    it(`is rejected by every format, with its column: ${type}`, () => {
      for (const raw of fields.split('|')) {
        expect(acceptingFormats(type as ColumnType, raw, Object.keys(FORMATS)), raw).to.deep.equal(
          [],
        )
      }
    })
  }

  const days = `
date     | 2026-13-01             |
date     | 2026-00-01             |
date     | 2026-01-00             |
date     | 2026-02-29             | xlsx
month    | 2026-13                |
month    | 2026-00                |
datetime | 2026-02-29 10:00:00+00 | xlsx`
  for (const [type, raw, accepting] of cellsOf(days)) {
    it(`is rejected by a format that parses dates: ${type} ${raw}`, () => {
      expect(acceptingFormats(type as ColumnType, raw!, TYPED).join(', ')).to.equal(accepting)
    })
  }

  it('is rejected in the totals', () => {
    for (const [name, format] of Object.entries(FORMATS)) {
      if (name === 'ndjson' || name === 'csv') continue
      expect(() => bodyOf(format, SALES, [], { totals: { amount: 'NaN' } }), name).to.throw(
        FieldError,
        'amount: "NaN" is no money',
      )
    }
  })

  it('is a text that does not match the pattern of its type', () => {
    const almost = fc.string({
      unit: fc.constantFrom('-', '.', '0', '1', '9', '+', 'e'),
      maxLength: 6,
    })
    fc.assert(
      fc.property(almost, raw => {
        for (const type of ['integer', 'number'] as const) {
          const isOfType = expectedJson(type, raw, 'UTC') !== undefined
          const accepting = isOfType ? Object.keys(FORMATS) : []
          expect(acceptingFormats(type, raw, Object.keys(FORMATS)), `${type} ${raw}`).to.deep.equal(
            accepting,
          )
        }
      }),
      { numRuns: 100 },
    )
  })
})
