import { expect } from 'chai'
import * as fc from 'fast-check'
import type { ColumnType } from '../../../src/terms.ts'
import { parquetOf, query, type Fields } from './read.ts'

/** As digits, whatever the session's time zone and the driver think. */
const AS_TEXT = `select text_, date_::varchar as date_, month_::varchar as month_,
  epoch_us(datetime_)::varchar as datetime_, integer_::varchar as integer_, number_::varchar as number_,
  percent_::varchar as percent_, money_::varchar as money_ from file`

/** What DuckDB should read, said with BigInt and Date. */
function expected(type: ColumnType, raw: string | null | undefined): string | null {
  if (raw === null || raw === undefined) return null
  switch (type) {
    case 'text':
    case 'date':
      return raw
    case 'month':
      return `${raw.slice(0, 7)}-01`
    case 'integer':
    case 'money':
      return String(BigInt(raw))
    case 'number':
    case 'percent': {
      const [whole, fraction = ''] = raw.split('.')
      const plain = `${whole}.${fraction.padEnd(6, '0').slice(0, 6)}`
      return /[1-9]/.test(plain) ? plain : '0.000000'
    }
    case 'datetime': {
      const [, date, time, fraction = ''] = /^(\S+) ([\d:]+)\.?(\d*)\+00$/.exec(raw)!
      const seconds = BigInt(new Date(`${date}T${time}Z`).getTime()) / 1000n
      return String(seconds * 1_000_000n + BigInt(fraction.padEnd(6, '0')))
    }
  }
}

const integer = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -1000n, max: 1000n }),
  )
  .map(String)
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }),
    fc.stringMatching(/^(\.\d{1,6}0{0,14})?$/),
  )
  .map(parts => parts.join(''))
const instant = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.stringMatching(/^(\.\d{1,6})?$/),
  )
  .map(([date, rest]) => `${date.toISOString().slice(0, 19).replace('T', ' ')}${rest}+00`)
const date = instant.map(instant => instant.slice(0, 10))
const row = fc.record(
  {
    text: fc.string({ unit: 'grapheme' }),
    date,
    month: date,
    datetime: instant,
    integer,
    number: decimal,
    percent: decimal,
    money: integer,
  },
  { requiredKeys: [] },
)

async function expectSame(rows: ReadonlyArray<Partial<Record<ColumnType, string>>>): Promise<void> {
  const read = await query(parquetOf(rows), AS_TEXT)
  expect(read).to.have.length(rows.length)
  for (const [place, fields] of read.entries()) {
    for (const [key, found] of Object.entries(fields)) {
      const type = key.slice(0, -1) as ColumnType
      expect(found, `${key} ${rows[place]![type]}`).to.equal(expected(type, rows[place]![type]))
    }
  }
}

describe('the types of a Parquet file, as DuckDB reads them', () => {
  it('are text, DATE, INT64, DECIMAL(18,6) and an instant in UTC', async () => {
    const columns = await query(parquetOf([]), 'describe select * from file')
    expect(columns.map(column => [column['column_name'], column['column_type']])).to.deep.equal([
      ['text_', 'VARCHAR'],
      ['date_', 'DATE'],
      ['month_', 'DATE'],
      ['datetime_', 'TIMESTAMP WITH TIME ZONE'],
      ['integer_', 'BIGINT'],
      ['number_', 'DECIMAL(18,6)'],
      ['percent_', 'DECIMAL(18,6)'],
      ['money_', 'BIGINT'],
    ])
  })

  it('hold what PostgreSQL printed, digit for digit, and nulls anywhere', () =>
    fc.assert(fc.asyncProperty(fc.array(row, { maxLength: 40 }), expectSame), { numRuns: 60 }))

  it('hold the extremes', () =>
    expectSame([
      { integer: '9223372036854775807', money: '-9223372036854775808', number: '0' },
      { integer: '9007199254740993', money: '-9007199254740993', number: '-0.000001' },
      { integer: '4294967296', money: '-4294967297', number: '-0.0' },
      { integer: '999999999999999', money: '1000000000000000', percent: '999999999999.999999' },
      { integer: '-0', money: '007', percent: '-999999999999.999999' },
      { number: '123456789.123456', percent: '1234567890.123456', integer: '-2147483649' },
      { number: '33.3000000000000000', percent: '12.50' },
      { date: '1900-01-01', month: '1900-02', datetime: '1900-01-01 00:00:00+00' },
      { date: '2999-12-31', month: '2999-12-31', datetime: '2999-12-31 23:59:59.999999+00' },
      { date: '2000-02-29', month: '1969-12-31', datetime: '1969-12-31 23:59:59.999999+00' },
      { date: '1582-10-10', month: '0001-01-01', datetime: '0001-01-01 00:00:00.000001+00' },
      { text: '' },
      { text: '\u0000 "кавычки"\n🙂' },
      {},
    ]))

  it('take for U+FFFD what is not UTF-8, as a dictionary and as it is', async () => {
    const broken = Buffer.from([0x61, 0xff, 0xd0, 0x22, 0xc3])
    const same = Array.from({ length: 100 }, (): Fields => ({ text: broken }))
    const different = Array.from({ length: 9000 }, (_, place): Fields => ({ text: `${place}` }))
    for (const rows of [[{ text: broken }], same, [...different, { text: broken }]]) {
      const read = await query(parquetOf(rows), AS_TEXT)
      expect(read.at(-1)!['text_']).to.equal(broken.toString())
    }
  })

  it('are searched by the least and the greatest of each group', async () => {
    const rows: Fields[] = [
      { integer: '9223372036854775807', number: '-1.5' },
      { integer: '-3' },
      {},
    ]
    const bounds = await query(
      parquetOf(rows),
      `select path_in_schema as key, stats_min_value as least, stats_max_value as most, stats_null_count as nulls
        from parquet_metadata(file) where key in ('integer_', 'number_', 'date_') order by key`,
    )
    expect(bounds).to.deep.equal([
      { key: 'date_', least: null, most: null, nulls: '3' },
      { key: 'integer_', least: '-3', most: '9223372036854775807', nulls: '1' },
      { key: 'number_', least: '-1.500000', most: '-1.500000', nulls: '2' },
    ])
  })
})
