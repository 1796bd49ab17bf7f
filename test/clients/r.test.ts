import { expect } from 'chai'
import {
  clientsGateway,
  exactTotals,
  KEY,
  needs,
  printed,
  reportsUrl,
  scriptPath,
  YEAR,
} from './clients.ts'

describe('R with jsonlite', function () {
  this.timeout(60_000)
  const world = clientsGateway()
  let rscript: string

  before(async function () {
    rscript = await needs(this, 'r-cran-jsonlite', ['Rscript'], ['-e', 'library(jsonlite)'])
  })

  it('reads JSON and NDJSON of a report, and its sums are the totals to the kopeck', async () => {
    const url = reportsUrl(world.gateway.url)
    const { json, text } = await world.ask(`/reports/ledger?${YEAR}`)
    const { paid, weight } = exactTotals(text)
    const expected = {
      rows: 1095,
      columns: json.columns.map(({ key }: { key: string }) => key),
      paid,
      nulls: json.rows.filter((row: { paid: number | null }) => row.paid === null).length,
      weight: Number(weight),
      last_day: '2026-12-31',
      notes: json.rows.map(({ note }: { note: string | null }) => note),
    }
    expect(
      await printed(rscript, ['--vanilla', scriptPath('sums.R'), url, YEAR, KEY]),
    ).to.deep.equal({
      json: expected,
      ndjson: expected,
      most_units: '9007199254740993',
    })
  })
})
