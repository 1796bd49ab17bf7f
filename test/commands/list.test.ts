import { expect } from 'chai'
import { ourCatalog } from '../sql/subject.ts'
import { SHOPS_SQL_DIR } from '../support/shops.ts'
import { command } from './in-process.ts'
import { sqlFolder } from './sql-folder.ts'

describe('svodka list', () => {
  it('lists all definitions without a database, reports first, in aligned columns', async () => {
    const { code, stdout, stderr } = await command(['list'])
    expect([code, stderr]).to.deep.equal([0, ''])
    const codes = stdout.split('\n').map(line => line.split(' ')[0])
    const { reports, metricsFiles } = ourCatalog()
    const files = [...metricsFiles.values()].map(({ name }) => name)
    expect(codes).to.deep.equal(['code', ...reports.keys(), '', 'code', ...files, ''])
    expect(stdout).to.match(
      /^code {18}title {29}group {6}fresh {3}budget.* {2}tuned\n[^]*\nprofit_loss {11}Прибыли и убытки {18}finance {4}60s\/1h {2}\d+, seq 1MiB, spill none {4}\d{4}-\d\d-\d\d\n/,
    )
  })

  it('as JSON is an array of objects', async () => {
    const { code, stdout } = await command(['list', '--json'], { SQL_DIR: SHOPS_SQL_DIR })
    expect(code).to.equal(0)
    const all = JSON.parse(stdout) as Array<Record<string, unknown>>
    expect(all.find(({ code }) => code === 'receipts')).to.deep.equal({
      kind: 'report',
      code: 'receipts',
      title: 'Чеки',
      group: 'sales',
      metrics: null,
      file: 'test/fixtures/shops/sql/reports/sales/receipts.sql',
      freshSeconds: { open: 2, closed: 3600 },
      budget: null,
      tuned: null,
    })
    expect(all.find(({ code }) => code === 'metrics/time')).to.include({
      kind: 'metrics',
      title: 'Часов в среднем, Дней, Вес',
      group: null,
    })
  })

  it('says what is not in it, and ends with 1', async () => {
    const SQL_DIR = sqlFolder('reports/finance/debts', 'museum/bracket-open')
    const { code, stdout, stderr } = await command(['list'], { SQL_DIR, PORT: 'many' })
    expect([code, stdout.match(/^debts /gm)]).to.deep.equal([1, ['debts ']])
    expect(stderr).to.match(/^Not in the list:\n\S+\/bracket-open\.sql:16: /)
  })
})
