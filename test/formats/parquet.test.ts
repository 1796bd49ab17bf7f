import { RU_PROBLEMS } from '../../src/texts/ru/problems.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance, type Json } from '@duckdb/node-api'
import { expect } from 'chai'
import * as fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { readParquet, writeParquet } from 'parquet-wasm'
import { OutputFullError } from '../../src/serve/formats/format.ts'
import { PARQUET_FORMAT } from '../../src/serve/formats/parquet/parquet.ts'
import type { ColumnType } from '../../src/model/terms.ts'
import { anyRow } from './any-row.ts'
import { cellsOf, EVERY_TYPE, OF_TYPE, reportOf, SALES, bodyOf, type Row } from './report-body.ts'

/** A copy, since hyparquet reads an ArrayBuffer from its first byte. */
const fileOf = (body: Buffer): ArrayBuffer => new Uint8Array(body).buffer

const TEXTS = await reportOf({ text: 'title: Текст, type: text' })

async function textsByHyparquet(body: Buffer): Promise<unknown[]> {
  const rows = await parquetReadObjects({
    file: fileOf(body),
    compressors: { GZIP: input => gunzipSync(input) },
  })
  return rows.map(row => row['text'])
}

/** The same rows, read and written by the strict reader of Rust, which Polars and DataFusion use. */
const rewritten = (body: Buffer): Buffer =>
  Buffer.from(writeParquet(readParquet(new Uint8Array(body))))

let duck: Promise<DuckDBInstance> | undefined

/** Queries the body with DuckDB. @param sql `file` in it is replaced by the file's path */
async function query(body: Buffer, sql: string): Promise<Array<Record<string, Json>>> {
  const folder = mkdtempSync(join(tmpdir(), 'svodka-parquet-'))
  const path = join(folder, 'report.parquet')
  duck ??= DuckDBInstance.create()
  const connection = await (await duck).connect()
  try {
    writeFileSync(path, body)
    const result = await connection.runAndReadAll(sql.replaceAll('file', `'${path}'`))
    return result.getRowObjectsJson()
  } finally {
    connection.closeSync()
    rmSync(folder, { recursive: true })
  }
}

/** The expected result of DuckDB as digits, computed with BigInt and Date. */
function expected(type: ColumnType, raw: string): string {
  switch (type) {
    case 'text':
      // why: DuckDB's library for Node removes a byte order mark
      return raw.replace(/^\ufeff/, '')
    case 'date':
      return raw
    case 'month':
      return `${raw.slice(0, 7)}-01`
    case 'integer':
    case 'money':
      return String(BigInt(raw))
    case 'number':
    case 'percent': {
      const [sign, whole, fraction = ''] = /^(-?)0*(\d+)\.?(\d*)$/.exec(raw)!.slice(1)
      const plain = `${whole}.${fraction.padEnd(6, '0').slice(0, 6)}`
      return /[1-9]/.test(plain) ? sign + plain : '0.000000'
    }
    case 'datetime': {
      const [, second = '', fraction = ''] = /^([^.]+)\.?(\d*)\+00$/.exec(raw)!
      const ms = BigInt(Date.parse(`${second.replace(' ', 'T')}Z`))
      return String(ms * 1000n + BigInt(fraction.padEnd(6, '0')))
    }
  }
}

async function expectRead(rows: readonly Row[]): Promise<void> {
  const values = EVERY_TYPE.columns.map(({ key, type }) =>
    type === 'datetime' ? `epoch_us(${key})::varchar` : `${key}::varchar`,
  )
  const body = bodyOf(PARQUET_FORMAT, EVERY_TYPE, rows)
  const columns = EVERY_TYPE.columns
  const fields = rows.map(row =>
    row.map((raw, index) => (raw === null ? null : expected(columns[index]!.type, raw.toString()))),
  )
  for (const file of [body, rewritten(body)]) {
    const read = await query(file, `select [${values.join(', ')}] as fields from file`)
    expect(read.map(row => row['fields'])).to.deep.equal(fields)
  }
}

describe('the Parquet file of a report', () => {
  it('has columns of text, DATE, an instant in UTC, INT64 and DECIMAL(18,6)', async () => {
    const sql = `select string_agg(column_name || ' ' || column_type, ', ') as types from (describe from file)`
    const types =
      'text_ VARCHAR, date_ DATE, month_ DATE, datetime_ TIMESTAMP WITH TIME ZONE, integer_ BIGINT, number_ DECIMAL(18,6), percent_ DECIMAL(18,6), money_ BIGINT'
    const body = bodyOf(PARQUET_FORMAT, EVERY_TYPE, [])
    for (const file of [body, rewritten(body)]) {
      expect(await query(file, sql)).to.deep.equal([{ types }])
      expect(await query(file, 'select count(*)::integer as n from file')).to.deep.equal([{ n: 0 }])
    }
  })

  it('contains the digits that PostgreSQL printed, and nulls anywhere', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyRow({ integer: 18, decimals: 6 }), { maxLength: 40 }),
        expectRead,
      ),
      { numRuns: 60 },
    ))

  it('rounds numbers and percents to six decimals, half away from zero', async () => {
    const rounded = `
33.3333333333333333      | 33.333333
-66.6666666666666667     | -66.666667
0.0000005                | 0.000001
-0.0000005               | -0.000001
0.00000049999            | 0.000000
0.9999995                | 1.000000
9007199254.7409925       | 9007199254.740993
-123456789012.1234565    | -123456789012.123457
999999999999.99999949    | 999999999999.999999`
    const cases = cellsOf(rounded)
    for (const type of ['number', 'percent'] as const) {
      const body = bodyOf(
        PARQUET_FORMAT,
        OF_TYPE[type],
        cases.map(([raw]) => ['a', raw!]),
      )
      const read = await query(body, 'select value::varchar as value from file')
      expect(read.map(row => row['value'])).to.deep.equal(cases.map(([, expected]) => expected))
    }
  })

  it('contains extreme values', () => {
    // text, date, month, datetime, integer, number, percent, money; `-` is null
    const table = `
""   | 1900-01-01 | 0001-01-01 | 0001-01-01 00:00:00.000001+00 | 9223372036854775807 | 999999999999.999999 | -0.000001 | -9223372036854775808
\0 " | 2999-12-31 | 1969-12-31 | 2999-12-31 23:59:59.999999+00 | 4294967296 | -999999999999.999999 | -0.0 | -4294967297
🙂   | 2000-02-29 | 2026-02    | 1582-10-10 00:00:00+00 | -0              | 33.3000000000000  | 7     | 007
-    | -          | -          | -                      | 999999999999999 | 123456789.123456  | 1234567890.123456 | 1000000000000000
-    | -          | -          | -                      | -2147483649     | -                 | 12.50 | -9007199254740993`
    return expectRead(
      cellsOf(table).map(cells =>
        cells.map(cell => (cell === '-' ? null : cell === '""' ? '' : cell)),
      ),
    )
  })

  it('has all texts: repeated, distinct, long and invalid UTF-8', async () => {
    const broken = Buffer.from([0x61, 0xff, 0xd0, 0x22, 0xc3])
    const texts = Array.from({ length: 32_000 }, (_, index) => {
      if (index % 11 === 0) return null
      if (index % 6007 === 0) return broken
      if (index < 12_000) return `Контрагент ${index % 300}`
      if (index === 29_990) return 'ш'.repeat(300_000)
      return `Оплата по счёту №${index}`
    })
    for (const list of [texts, texts.toReversed(), texts.slice(0, 1), texts.slice(1, 2), []]) {
      const body = bodyOf(
        PARQUET_FORMAT,
        TEXTS,
        list.map(text => [text]),
      )
      const valid = list.map(text => text?.toString() ?? null)
      expect(await textsByHyparquet(body)).to.deep.equal(valid)
      for (const file of [body, rewritten(body)]) {
        const read = await query(file, 'select text from file')
        expect(read.map(row => row['text'])).to.deep.equal(valid)
      }
    }
  })

  it('is deterministic, and stores a repeated text once, before the pages that refer to it', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => [`Магазин №${index % 3}`])
    const body = bodyOf(PARQUET_FORMAT, TEXTS, rows)
    expect(bodyOf(PARQUET_FORMAT, TEXTS, rows)).to.deep.equal(body)
    const chunks = await query(
      body,
      `select encodings, total_uncompressed_size < 500 as is_small, dictionary_page_offset < data_page_offset as is_first from parquet_metadata(file)`,
    )
    expect(chunks).to.deep.equal([
      { encodings: 'PLAIN, RLE_DICTIONARY', is_small: true, is_first: true },
    ])
  })

  it('closes a row group at 16,000 rows, and earlier if its texts are large', async () => {
    const groupsOf = (body: Buffer) => parquetMetadata(fileOf(body)).row_groups
    const rows = Array.from({ length: 32_001 }, (_, at) => ['я', at % 4 === 0 ? null : `${at}`])
    const long = bodyOf(PARQUET_FORMAT, OF_TYPE.integer, rows)
    const sum = rows.reduce((all, [, value]) => all + Number(value), 0)
    expect(await query(long, 'select sum(value)::double as sum from file')).to.deep.equal([{ sum }])
    const many = groupsOf(long)
    expect(many.map(({ num_rows }) => num_rows)).to.deep.equal([16_000n, 16_000n, 1n])
    const nullCounts = many.map(({ columns }) => columns[1]!.meta_data!.statistics!.null_count)
    expect(nullCounts).to.deep.equal([4000n, 4000n, 1n])
    const large = Array.from({ length: 12 }, (_, index) => [noise(index, 1_000_000)])
    const body = bodyOf(PARQUET_FORMAT, TEXTS, large)
    expect(groupsOf(body).length).to.be.above(1)
    expect(await textsByHyparquet(body)).to.deep.equal(large.flat())
  })

  it('has the minimum and the maximum of each group', async () => {
    const far = '9223372036854775807'
    const minimum = [null, null, null, null, far, '-1.5', null, far]
    const maximum = [null, null, null, null, '-3', null, null, null]
    const body = bodyOf(PARQUET_FORMAT, EVERY_TYPE, [minimum, maximum, maximum.map(() => null)])
    const bounds = await query(
      body,
      `select [path_in_schema, stats_min_value, stats_max_value, stats_null_count::varchar] as bounds
        from parquet_metadata(file) where path_in_schema in ('integer_', 'number_', 'date_', 'money_') order by path_in_schema`,
    )
    expect(bounds.map(row => row['bounds'])).to.deep.equal([
      ['date_', null, null, '3'],
      ['integer_', '-3', far, '1'],
      ['money_', far, far, '2'],
      ['number_', '-1.500000', '-1.500000', '2'],
    ])
  })

  it('has the metadata of JSON, and columns by key in any order of the statement', async () => {
    const amount = '9007199254740993'
    const options = { totals: { amount }, indexes: [1, 2, 0] }
    const body = bodyOf(PARQUET_FORMAT, SALES, [[null, 'У моря', amount]], options)
    expect(await query(body, 'select * from file')).to.deep.equal([
      { shop: 'У моря', amount, note: null },
    ])
    const metadata = parquetMetadata(fileOf(body)).key_value_metadata!
    expect(Object.fromEntries(metadata.map(({ key, value }) => [key, value]))).to.deep.equal({
      'svodka.code': 'sales',
      'svodka.title': 'Продажи',
      'svodka.period': '{"from":"2026-01-01","to":"2026-12-31"}',
      'svodka.timeZone': 'Europe/Moscow',
      'svodka.columns':
        '[{"key":"shop","title":"Магазин","type":"text"},{"key":"amount","title":"Сумма","type":"money","unit":"kopeck"},{"key":"note","title":"Заметка","type":"text"}]',
      'svodka.totals': `{"shop":"Итого","amount":${amount},"note":null}`,
      'svodka.summary': 'За 2026 год продано на 90\u00a0071\u00a0992\u00a0547\u00a0409,93\u00a0₽.',
    })
  })

  const tooLarge = `
integer  | 9223372036854775808
money    | -9223372036854775809
number   | 1000000000000
number   | -1000000000000.5
number   | -999999999999.9999995`
  for (const [type, raw] of cellsOf(tooLarge)) {
    it(`rejects the ${type} ${raw} instead of truncating it`, () => {
      const rows = [null, raw!].map(value => ['a', value])
      expect(() => bodyOf(PARQUET_FORMAT, OF_TYPE[type as ColumnType], rows))
        .to.throw(OutputFullError, `Row 2, column value: ${raw} does not fit into Parquet`)
        .that.satisfies(({ detail }: OutputFullError) =>
          detail(RU_PROBLEMS).includes(
            `Строка 2, столбец value: ${raw} не помещается в Parquet, в нём`,
          ),
        )
    })
  }
})

/** Letters that hardly compress. */
function noise(seed: number, length: number): string {
  const bytes = Buffer.alloc(length)
  let state = seed + 1
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = 0x21 + ((state >>> 24) % 90)
  }
  return bytes.toString('latin1')
}
