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

describe('pandas', function () {
  this.timeout(60_000)
  const world = clientsGateway()
  let python = ''

  before(async function () {
    // why: a python3 that comes first in PATH may be another than Debian's, whose packages it has not
    const programs = ['python3', '/usr/bin/python3']
    python = await needs(this, 'python3-pandas', programs, ['-c', 'import pandas'])
  })

  it('reads JSON, NDJSON and CSV of a report, and its sums are the totals to the kopeck', async () => {
    const options = [scriptPath('sums.py'), reportsUrl(world.gateway.url), YEAR, KEY]
    const found = await printed(python, options)
    const { json, text } = await world.ask(`/reports/ledger?${YEAR}`)
    const { units, amount, paid, weight } = exactTotals(text)
    const rows = json.rows as ReadonlyArray<Readonly<Record<string, string | null>>>
    const expected = {
      rows: 1095,
      columns: json.columns.map(({ key }: { key: string }) => key),
      kinds: { units: 'int64', amount: 'int64' },
      sums: { units, amount, paid },
      weight: Number(weight),
      nulls: rows.filter(row => row['paid'] === null).length,
      last_day: '2026-12-31',
      last_posted: '2026-12-31T14:00:01.500000+00:00',
      texts: rows.map(({ entry, counterparty, note }) => [entry, counterparty, note]),
    }
    // why: pandas has one word for the empty text of a CSV and for null
    const withoutEmpty = expected.texts.map(texts => texts.map(text => text || null))
    expect(found).to.deep.equal({
      json: expected,
      ndjson: expected,
      csv: { ...expected, texts: withoutEmpty },
    })
  })
})
