import { expect } from 'chai'
import { run as query } from '../harness/shops.ts'
import { needs } from '../clients/clients.ts'
import { exactJson, kits, PERIOD, succeeds } from './kits.ts'
import { loadsChanges } from './loaders.ts'
import { sqliteRows } from './sqlite.ts'

const SCRIPT = 'svodka_load.py'

describe("the kit's Python script", () => {
  const all = kits()
  // why: the first python3 in PATH may lack Debian's packages
  const programs = ['python3', '/usr/bin/python3']

  describe('with SQLite', () => {
    let python = ''
    before(async function () {
      python = await needs(this, 'python3-pandas', programs, ['-c', 'import pandas, sqlite3'])
      await all.write('python', 'receipts', SCRIPT)
    })

    const inDatabase = (sql: string) => sqliteRows(python, `${all.folder}/svodka.db`, sql)
    loadsChanges(all, {
      tool: 'python',
      command: (file = SCRIPT) => [python, [file]],
      read: (table = 'receipts') => inDatabase(`select * from "${table}"`),
      execute: inDatabase,
    })

    it('loads several reports, and pandas reads exact sums', async () => {
      await succeeds(all.run(python, [SCRIPT, 'receipts', 'ledger']))
      const statistics = `import json; from svodka_load import frame
receipts = frame("receipts"); types = {key: str(receipts[key].dtype) for key in ["amount", "weight", "day", "note"]}
print(json.dumps({"rows": len(receipts), "ledger": len(frame("ledger")), "amount": str(int(receipts.amount.sum())), "types": types}))`
      const { stdout, stderr } = await all.run(python, ['-c', statistics]).ended
      const { text } = await all.world.ask(`/reports/receipts?${PERIOD}`)
      const { rows, totals } = exactJson(text)
      expect(JSON.parse(stdout.toString() || JSON.stringify(stderr))).to.deep.equal({
        rows: rows.length,
        ledger: (await all.rows('ledger')).length,
        amount: totals.amount,
        types: { amount: 'Int64', weight: 'float64', day: 'datetime64[ns]', note: 'object' },
      })
    })
  })

  describe('with PostgreSQL', () => {
    let python = ''
    let database = ''
    before(async function () {
      python = await needs(this, 'python3-psycopg', programs, ['-c', 'import psycopg'])
      database = all.world.shops.primaryUrl
      await all.write('python', 'receipts', SCRIPT)
    })
    after(() => query(all.world.shops.primaryUrl, 'drop schema if exists kit_python cascade'))

    it('has the same rows', async () => {
      await query(database, 'create schema kit_python')
      const url = new URL(database)
      url.searchParams.set('options', '-csearch_path=kit_python')
      await succeeds(all.run(python, [SCRIPT], { SVODKA_DATABASE: url.href }))
      const [{ count } = { count: '' }] = await query<{ count: string }>(
        database,
        'select count(*)::text as count from kit_python.receipts',
      )
      expect(Number(count)).to.equal((await all.rows('receipts')).length)
    })
  })
})
