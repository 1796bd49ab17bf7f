import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import {
  clientsGateway,
  download,
  exactTotals,
  KEY,
  needs,
  jsonOutputOf,
  reportsUrl,
  scriptPath,
  YEAR,
} from './clients.ts'

/** why: the first python3 in PATH may lack Debian's packages */
const PYTHONS = ['python3', '/usr/bin/python3']

describe('the sums of a report equal its totals to the kopeck', () => {
  const world = clientsGateway()
  const options = (): string[] => [reportsUrl(world.gateway.url), YEAR, KEY]

  async function ledger() {
    const { json, text } = await world.ask(`/reports/ledger?${YEAR}`)
    const rows = json.rows as ReadonlyArray<Readonly<Record<string, string | null>>>
    const totals = exactTotals(text)
    return {
      rows,
      totals,
      common: {
        rows: 1095,
        columns: json.columns.map(({ key }: { key: string }) => key),
        weight: Number(totals['weight']),
        nulls: rows.filter(row => row['paid'] === null).length,
        last_day: '2026-12-31',
      },
    }
  }

  it('in pandas, which reads JSON, NDJSON and CSV', async function () {
    const python = await needs(this, 'python3-pandas', PYTHONS, ['-c', 'import pandas'])
    const { rows, totals, common } = await ledger()
    const { units, amount, paid } = totals
    const expected = {
      ...common,
      kinds: { units: 'int64', amount: 'int64' },
      sums: { units, amount, paid },
      last_posted: '2026-12-31T14:00:01.500000+00:00',
      texts: rows.map(({ entry, counterparty, note }) => [entry, counterparty, note]),
    }
    // why: pandas reads the empty text of a CSV as null
    const withoutEmpty = expected.texts.map(texts => texts.map(text => text || null))
    expect(await jsonOutputOf(python, [scriptPath('sums.py'), ...options()])).to.deep.equal({
      json: expected,
      ndjson: expected,
      csv: { ...expected, texts: withoutEmpty },
    })
  })

  it('in pandas as README reads a workbook, with the zeros of a taxpayer number', async function () {
    const python = await needs(this, 'python3-openpyxl', PYTHONS, ['-c', 'import pandas, openpyxl'])
    const [, reads = ''] =
      /`(pandas\.read_excel[^`]*)`/.exec(readFileSync('src/serve/README.md', 'utf8')) ?? []
    const { rows, totals } = await ledger()
    const file = await download(
      world,
      `ledger.xlsx?${YEAR}`,
      join(temporaryFolder(), 'ledger.xlsx'),
    )
    const print = `[len(table), list(table["Номер"]), str(sum(map(int, table["Штук"]))), str(table["Дата"].dtype)]`
    const program = `import json, sys, pandas\nfile = sys.argv[1]\ntable = ${reads}\njson.dump(${print}, sys.stdout)`
    expect(await jsonOutputOf(python, ['-c', program, file])).to.deep.equal([
      1095,
      rows.map(({ entry }) => entry),
      totals['units'],
      'datetime64[ns]',
    ])
  })

  it('in R, which reads JSON and NDJSON', async function () {
    const rscript = await needs(this, 'r-cran-jsonlite', ['Rscript'], ['-e', 'library(jsonlite)'])
    const { rows, totals, common } = await ledger()
    const expected = { ...common, paid: totals['paid'], notes: rows.map(({ note }) => note) }
    expect(
      await jsonOutputOf(rscript, ['--vanilla', scriptPath('sums.R'), ...options()]),
    ).to.deep.equal({ json: expected, ndjson: expected, most_units: '9007199254740993' })
  })
})
