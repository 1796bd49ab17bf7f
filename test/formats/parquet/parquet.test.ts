import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { PARQUET_FORMAT } from '../../../src/formats/parquet/parquet.ts'
import { EVERY_TYPE } from '../every-type.ts'
import { parquetOf, query, rowOfTypes, type Fields } from './read.ts'
import { SALES, written } from '../written.ts'

/** Of its own memory: hyparquet reads an ArrayBuffer from its first byte. */
const fileOf = (body: Buffer): ArrayBuffer => new Uint8Array(body).buffer

const textsOf = async (body: Buffer): Promise<unknown[]> => {
  const rows = await parquetReadObjects({
    file: fileOf(body),
    columns: ['text_'],
    compressors: { GZIP: input => gunzipSync(input) },
  })
  return rows.map(row => row['text_'])
}

describe('the Parquet file of a report', () => {
  it('has rows of the keys of the columns, wherever they stand in the statement', async () => {
    const rows = [[null, 'У моря', '9007199254740993']]
    const body = written(PARQUET_FORMAT, SALES, rows, { amount: '1' }, [1, 2, 0])
    expect(await query(body, 'select * from file')).to.deep.equal([
      { shop: 'У моря', amount: '9007199254740993', note: null },
    ])
  })

  it('says what JSON says beside its rows', () => {
    const body = written(PARQUET_FORMAT, SALES, [], { amount: '9007199254740993' })
    const said = parquetMetadata(fileOf(body)).key_value_metadata!.map(({ key, value }) => [
      key,
      value,
    ])
    expect(said).to.deep.equal([
      ['svodka.code', 'sales'],
      ['svodka.title', 'Продажи'],
      ['svodka.period', '{"from":"2026-01-01","to":"2026-12-31"}'],
      ['svodka.timeZone', 'Europe/Moscow'],
      [
        'svodka.columns',
        '[{"key":"shop","title":"Магазин","type":"text"},{"key":"amount","title":"Сумма","type":"money","unit":"kopecks"},{"key":"note","title":"Заметка","type":"text"}]',
      ],
      ['svodka.totals', '{"shop":"Итого","amount":9007199254740993,"note":null}'],
      [
        'svodka.summary',
        SALES.summarize({
          fields: new Map([['amount', '9007199254740993']]),
          rowCount: 0,
          period: { start: '2026-01-01', end: '2027-01-01' },
          today: '2026-11-21',
        }),
      ],
    ])
  })

  it('has no rows where the report has none', async () => {
    const body = parquetOf([])
    expect(await query(body, 'select * from file')).to.deep.equal([])
    expect(await textsOf(body)).to.deep.equal([])
  })

  it('is small where the report is, and the same bytes for the same rows', () => {
    const rows = Array.from({ length: 20 }, (_, place): Fields => ({
      text: `Статья ${place}`,
      date: `2026-01-${10 + place}`,
      money: `${place * 1234567}`,
      percent: `${place}.5`,
    }))
    const body = parquetOf(rows)
    expect(body.length).to.be.below(3000)
    expect(parquetOf(rows)).to.deep.equal(body)
  })

  it('has all rows, of texts that repeat, that never do, that stop repeating and that are long', async () => {
    const texts = Array.from({ length: 32_000 }, (_, place) => {
      if (place % 11 === 0) return null
      if (place < 12_000) return `Контрагент ${place % 300}`
      if (place === 29_990) return 'ш'.repeat(300_000)
      return `Оплата по счёту №${place}`
    })
    for (const some of [texts, texts.toReversed(), texts.slice(0, 1), texts.slice(1, 2)]) {
      const body = parquetOf(some.map(text => ({ text })))
      expect(await textsOf(body)).to.deep.equal(some)
      const read = await query(body, 'select text_ from file')
      expect(read.map(row => row['text_'])).to.deep.equal(some)
    }
  })

  it('writes a text that repeats once', async () => {
    const rows = Array.from({ length: 1000 }, (_, place) => ({ text: `Магазин ${place % 3}` }))
    const [chunk] = await query(
      parquetOf(rows),
      `select encodings, total_uncompressed_size < 500 as is_small, dictionary_page_offset < data_page_offset as is_first from parquet_metadata(file) where path_in_schema = 'text_'`,
    )
    expect(chunk).to.deep.equal({
      encodings: 'PLAIN, RLE, RLE_DICTIONARY',
      is_small: true,
      is_first: true,
    })
  })

  it('holds a row group and no more until it is written', () => {
    const rows = Array.from({ length: 200_001 }, (_, place) =>
      rowOfTypes({ text: 'я', integer: String(place) }),
    )
    const body = written(PARQUET_FORMAT, EVERY_TYPE, rows, {})
    const { row_groups, num_rows } = parquetMetadata(fileOf(body))
    expect(num_rows).to.equal(200_001n)
    expect(row_groups.map(group => group.num_rows)).to.deep.equal([100_000n, 100_000n, 1n])
  })

  it('closes a row group of large texts early', async () => {
    const rows = Array.from({ length: 12 }, (_, place) => ({
      text: noise(place, 1_000_000),
    }))
    const body = parquetOf(rows)
    expect(parquetMetadata(fileOf(body)).row_groups.length).to.be.above(1)
    expect(await textsOf(body)).to.deep.equal(rows.map(({ text }) => text))
  })
})

/** Letters that hardly compress. */
function noise(seed: number, length: number): string {
  const bytes = Buffer.alloc(length)
  let state = seed + 1
  for (let place = 0; place < length; place += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[place] = 0x21 + ((state >>> 24) % 90)
  }
  return bytes.toString('latin1')
}
