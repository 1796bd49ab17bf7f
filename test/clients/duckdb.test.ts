import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection, Json } from '@duckdb/node-api'
import { expect } from 'chai'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { clientsGateway, exactTotals, KEY, reportsUrl, YEAR } from './clients.ts'

describe('DuckDB', () => {
  const world = clientsGateway()
  let connection: DuckDBConnection

  const query = async (sql: string): Promise<Json[][]> =>
    (await connection.runAndReadAll(sql)).getRowsJson()

  before(async () => {
    const folder = temporaryFolder()
    connection = await (await DuckDBInstance.create()).connect()
    await query(`set TimeZone = 'UTC'`)
    const read = {
      parquet: 'read_parquet($)',
      csv: 'read_csv($, allow_quoted_nulls = false)',
      ndjson: 'read_json($)',
    }
    for (const [format, reads] of Object.entries(read)) {
      const url = `${reportsUrl(world.gateway.url)}/ledger.${format}?${YEAR}`
      const answer = await fetch(url, { headers: { 'X-Api-Key': KEY } })
      const file = join(folder, `ledger.${format}`)
      writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
      await query(`create view ${format} as from ${reads.replace('$', `'${file}'`)}`)
    }
  })
  after(() => connection?.closeSync())

  const typesOf = async (view: string): Promise<Record<string, Json>> =>
    Object.fromEntries(
      (await query(`select column_name, column_type from (describe ${view})`)) as Array<
        [string, Json]
      >,
    )

  it('finds the types of columns by itself', async () => {
    const parquet = {
      entry: 'VARCHAR',
      day: 'DATE',
      month: 'DATE',
      posted_at: 'TIMESTAMP WITH TIME ZONE',
      units: 'BIGINT',
      weight: 'DECIMAL(18,6)',
      amount: 'BIGINT',
      paid: 'BIGINT',
      share: 'DECIMAL(18,6)',
      counterparty: 'VARCHAR',
      note: 'VARCHAR',
    }
    expect(await typesOf('parquet')).to.deep.equal(parquet)
    const guessed = { ...parquet, month: 'VARCHAR', weight: 'DOUBLE', share: 'DOUBLE' }
    expect(await typesOf('csv')).to.deep.equal(guessed)
    // why: where amounts of both signs meet, it takes a wider type; instants it takes to UTC
    const wide = { amount: 'HUGEINT', paid: 'HUGEINT', posted_at: 'TIMESTAMP' }
    expect(await typesOf('ndjson')).to.deep.equal({ ...guessed, ...wide })
  })

  it('has the same rows of each format', async () => {
    const exact = `select * replace (weight::decimal(18, 6) as weight, share::decimal(18, 6) as share, left(month::varchar, 7) as month, posted_at::timestamptz as posted_at) from`
    for (const format of ['csv', 'ndjson']) {
      const differences = `(${exact} parquet except ${exact} ${format}) union all (${exact} ${format} except ${exact} parquet)`
      expect(await query(differences), format).to.deep.equal([])
      expect(await query(`select count(*) from ${format}`)).to.deep.equal([['1095']])
    }
  })

  it('sums them to the totals, to the kopeck', async () => {
    const { units, amount, paid, weight } = exactTotals(
      (await world.ask(`/reports/ledger?${YEAR}`)).text,
    )
    for (const format of ['parquet', 'csv', 'ndjson']) {
      const [sums] = await query(
        `select sum(units)::varchar, sum(amount)::varchar, sum(paid)::varchar, round(sum(weight), 3)::double from ${format}`,
      )
      expect(sums, format).to.deep.equal([units, amount, paid, Number(weight)])
    }
  })
})
