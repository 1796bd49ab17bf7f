import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection, type Json } from '@duckdb/node-api'
import { expect } from 'chai'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { clientsGateway, download, exactTotals, YEAR } from './clients.ts'

describe('DuckDB', () => {
  const world = clientsGateway()
  const READ = {
    parquet: 'read_parquet($)',
    csv: 'read_csv($, allow_quoted_nulls = false)',
    ndjson: 'read_json($)',
  }
  let connection: DuckDBConnection

  const query = async (sql: string): Promise<Json[][]> =>
    (await connection.runAndReadAll(sql)).getRowsJson()

  before(async () => {
    const folder = temporaryFolder()
    connection = await (await DuckDBInstance.create()).connect()
    await query(`set TimeZone = 'UTC'`)
    for (const [format, reads] of Object.entries(READ)) {
      const path = `ledger.${format}?${YEAR}`
      const file = await download(world, path, join(folder, `ledger.${format}`))
      await query(`create view ${format} as from ${reads.replace('$', `'${file}'`)}`)
    }
  })
  after(() => connection?.closeSync())

  it('detects the types of columns', async () => {
    const typesOf = async (view: string): Promise<string> => {
      const columns = await query(`select column_name, column_type from (describe ${view})`)
      return columns.map(([name, type]) => `${name as string} ${type as string}`).join(', ')
    }
    expect(await typesOf('parquet')).to.equal(
      'entry VARCHAR, day DATE, month DATE, posted_at TIMESTAMP WITH TIME ZONE, units BIGINT, weight DECIMAL(18,6), amount BIGINT, paid BIGINT, share DECIMAL(18,6), counterparty VARCHAR, note VARCHAR',
    )
    expect(await typesOf('csv')).to.equal(
      'entry VARCHAR, day DATE, month VARCHAR, posted_at TIMESTAMP WITH TIME ZONE, units BIGINT, weight DOUBLE, amount BIGINT, paid BIGINT, share DOUBLE, counterparty VARCHAR, note VARCHAR',
    )
    // why: DuckDB uses a wider type for amounts of both signs, and converts instants to UTC
    expect(await typesOf('ndjson')).to.equal(
      'entry VARCHAR, day DATE, month VARCHAR, posted_at TIMESTAMP, units BIGINT, weight DOUBLE, amount HUGEINT, paid HUGEINT, share DOUBLE, counterparty VARCHAR, note VARCHAR',
    )
  })

  it('reads the same rows from each format, whose sums are the totals', async () => {
    const { text } = await world.ask(`/reports/ledger?${YEAR}`)
    const { units, amount, paid, weight } = exactTotals(text)
    const exact = `select * replace (weight::decimal(18, 6) as weight, share::decimal(18, 6) as share, left(month::varchar, 7) as month, posted_at::timestamptz as posted_at) from`
    const sums = `count(*), sum(units)::varchar, sum(amount)::varchar, sum(paid)::varchar, round(sum(weight), 3)::double`
    for (const format of Object.keys(READ)) {
      const differences = `(${exact} parquet except ${exact} ${format}) union all (${exact} ${format} except ${exact} parquet)`
      expect(await query(differences), format).to.deep.equal([])
      const expected = ['1095', units, amount, paid, Number(weight)]
      expect(await query(`select ${sums} from ${format}`), format).to.deep.equal([expected])
    }
  })
})
