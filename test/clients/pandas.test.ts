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

interface Found {
  readonly texts: ReadonlyArray<ReadonlyArray<string | null>>
}

describe('pandas', function () {
  this.timeout(60_000)
  const world = clientsGateway()
  let python: string

  before(async function () {
    // why: a python3 that comes first in PATH may be another than Debian's, whose packages it has not
    python = await needs(
      this,
      'python3-pandas',
      ['python3', '/usr/bin/python3'],
      ['-c', 'import pandas'],
    )
  })

  it('reads JSON, NDJSON and CSV of a report, and its sums are the totals to the kopeck', async () => {
    const url = reportsUrl(world.gateway.url)
    const found = (await printed(python, [scriptPath('sums.py'), url, YEAR, KEY])) as Record<
      string,
      Found
    >
    expect(Object.keys(found)).to.deep.equal(['json', 'ndjson', 'csv'])
    const { json, text } = await world.ask(`/reports/ledger?${YEAR}`)
    const { units, amount, paid, weight } = exactTotals(text)
    for (const [format, { texts, ...figures }] of Object.entries(found)) {
      expect(figures, format).to.deep.equal({
        rows: 1095,
        columns: json.columns.map(({ key }: { key: string }) => key),
        kinds: { units: 'int64', amount: 'int64' },
        sums: { units, amount, paid },
        weight: Number(weight),
        nulls: json.rows.filter(({ paid }: { paid: number | null }) => paid === null).length,
        last_day: '2026-12-31',
        last_posted: '2026-12-31T14:00:01.500000+00:00',
      })
      expect(texts, format).to.deep.equal(
        json.rows.map(({ entry, counterparty, note }: Record<string, string | null>) => [
          entry,
          counterparty,
          // why: pandas has one word for the empty text of a CSV and for null
          format === 'csv' && note === '' ? null : note,
        ]),
      )
    }
  })
})
