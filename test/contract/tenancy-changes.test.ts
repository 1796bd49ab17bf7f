// A line of tenancy.yaml is part of each definition that reads its table: what was made with the old line is not used.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Answer, Ask } from '../harness/ask.ts'
import { fixture, fixtures } from '../harness/fixtures.ts'
import { startProcess } from '../harness/process.ts'
import { processesOfBlock, processesOfTests } from '../harness/shops-gateway.ts'
import { sharedShops, SHOPS_SQL_DIR, shopsEnvironment, type Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { shopsFolder } from './gateways.ts'

const DECLARED = `${readFileSync(join(SHOPS_SQL_DIR, 'tenancy.yaml'), 'utf8')}transfers: `
const PERIODS = Array.from({ length: 12 }, (_, at) => `?from=2020-01-01&to=2020-02-${at + 10}`)

const outcomeOf = ({ headers }: Answer) => headers.get('Cache-Status')?.split(/; ?/)[1]

describe('tenancy.yaml', () => {
  const start = processesOfTests()
  let shops: Shops

  before(async () => {
    shops = await sharedShops()
    await shops.change(`
      create table transfers (id integer primary key, from_shop integer, to_shop integer, amount bigint);
      insert into transfers values (1, 1, 2, 100), (2, 2, 1, 50), (3, 1, 3, 7)`)
  })
  after(() => shops.change('drop table transfers'))

  const folderWith = (tenancy: string | undefined) =>
    shopsFolder({
      'reports/faults': undefined,
      ...fixtures('reports/sales/transfers', 'metrics/transfers'),
      'tenancy.yaml': tenancy,
    })

  const startOfBlock = processesOfBlock()
  const folder = folderWith(`${DECLARED}from_shop`)

  async function started() {
    const settings = { SQL_DIR: folder, REPORT_POOL_SIZE: '4' }
    const gateway = await startOfBlock(settings)
    const { ask, opsUrl } = gateway
    /** @param words of the log that end the reload */
    const reload = async (tenancy: string, words: string): Promise<void> => {
      const count = (): number => gateway.out.split(words).length
      const before = count()
      writeFileSync(join(folder, 'tenancy.yaml'), tenancy)
      gateway.child.kill('SIGHUP')
      await until(() => count() > before)
    }
    return { ask, opsUrl, reload, log: () => gateway.out }
  }

  /** Over all connections, and over periods that are cached. */
  async function namesIn(ask: Ask): Promise<string[]> {
    const answers = await Promise.all(PERIODS.map(period => ask(`/reports/transfers${period}`)))
    return answers.map(({ json }) => json.rows.map(({ name }: { name: string }) => name).join())
  }
  const hashOf = async (ask: Ask, report: string): Promise<string> =>
    (await ask(`/reports/${report}/schema`)).json.definition

  it('changes rows, tags and hashes of what reads the table of the line, at once', async () => {
    const { ask, reload, log } = await started()
    // why: an open period of these reports is fresh for 2 s only
    const [receiptsPath, metricsPath] = ['/reports/receipts', '/metrics'].map(
      path => path + PERIODS[0],
    )
    const paths = ['/reports/transfers', '/reports/transfers.csv', receiptsPath!, metricsPath!]
    for (let round = 0; round < 3; round += 1) {
      expect(new Set(await namesIn(ask))).to.deep.equal(new Set(['1,3']))
    }
    const [report, , receipts] = await Promise.all(paths.map(path => ask(path)))
    for (const path of paths) expect(outcomeOf(await ask(path)), path).to.equal('hit')
    expect((await ask('/metrics?codes=transferred')).json.metrics[0].value).to.equal(107)
    const [hash, other] = [await hashOf(ask, 'transfers'), await hashOf(ask, 'receipts')]

    await reload(`${DECLARED}to_shop`, 'the definitions are reloaded')
    expect(log()).to.match(/"changed":\["\w+\/tenancy\.yaml",".*the definitions are reloaded/)
    expect(new Set(await namesIn(ask))).to.deep.equal(new Set(['2']))
    const headers = { 'If-None-Match': report!.headers.get('ETag')! }
    const changed = await ask('/reports/transfers', { headers })
    expect([changed.status, changed.json.totals.amount]).to.deep.equal([200, 50])
    expect((await ask('/reports/transfers.csv')).text)
      .to.contain('50')
      .and.not.contain('100')
    expect((await ask('/metrics?codes=transferred')).json.metrics[0].value).to.equal(50)
    expect(await hashOf(ask, 'transfers')).to.not.equal(hash)
    expect(await hashOf(ask, 'receipts')).to.equal(other)
    const unchanged = await ask(receiptsPath!)
    expect([outcomeOf(unchanged), unchanged.text]).to.deep.equal(['hit', receipts!.text])

    await reload(`${DECLARED}from_shop`, 'the definitions are reloaded')
    expect(new Set(await namesIn(ask))).to.deep.equal(new Set(['1,3']))
    expect(await hashOf(ask, 'transfers')).to.equal(hash)
  })

  it('changes nothing by a line that no definition reads', async () => {
    const { ask, reload } = await started()
    await namesIn(ask)
    const hash = await hashOf(ask, 'transfers')
    await reload(`# a comment\nunits: shared\n${DECLARED}from_shop`, 'the definitions are reloaded')
    const answers = await Promise.all(PERIODS.map(period => ask(`/reports/transfers${period}`)))
    expect(new Set(answers.map(outcomeOf))).to.deep.equal(new Set(['hit']))
    expect(await hashOf(ask, 'transfers')).to.equal(hash)
  })

  it('allows a function by a line for it, at once', async () => {
    await shops.change(`
      create function largest(text, text) returns text stable language sql as 'select max(amount)::text from public.transfers';
      create operator @+@ (leftarg = text, rightarg = text, function = largest)`)
    const SQL_DIR = folderWith(`${DECLARED}from_shop`)
    writeFileSync(
      join(SQL_DIR, 'reports/sales/transfers.sql'),
      fixture('reports/sales/transfers').replace(
        'transfers.id::text',
        "transfers.id::text @+@ 'x'",
      ),
    )
    const gateway = await start({ SQL_DIR })
    const { ask } = gateway
    expect((await ask('/reports/transfers')).json.code).to.equal('internal_error')
    writeFileSync(join(SQL_DIR, 'tenancy.yaml'), `${DECLARED}from_shop\nlargest(): shared`)
    gateway.child.kill('SIGHUP')
    await until(async () => (await ask('/reports/transfers')).status === 200)
    await shops.change('drop operator @+@ (text, text); drop function largest')
  })

  it('is not used while it has a fault: the definitions stay as they were', async () => {
    const { ask, opsUrl, reload } = await started()
    const FAULTS = [
      [
        'from_shop or true',
        'tenancy.yaml:10: transfers: found "from_shop or true", expected a column',
      ],
      [
        'from_shop\ntransfers: shared',
        'tenancy.yaml:11: key "transfers" again, expected each key once',
      ],
      ['shared', 'transfers.sql:9: reads no table whose rows belong to organizations'],
      ['no_column', 'column "no_column" does not exist'],
    ] as const
    for (const [line, finding] of FAULTS) {
      await reload(`${DECLARED}${line}`, 'the definitions are not reloaded')
      const readiness = await (await fetch(`${opsUrl}/readyz?verbose`)).text()
      expect(readiness, line).to.match(/^\[\+\]reload degraded: the previous/m)
      expect(readiness, line).to.contain(finding)
      expect(new Set(await namesIn(ask)), line).to.deep.equal(new Set(['1,3']))
    }
  })

  it('prevents the start if it is missing', async () => {
    const settings = { ...shopsEnvironment(shops), SQL_DIR: folderWith(undefined) }
    const gateway = startProcess('serve', settings)
    expect(await gateway.exit).to.equal(1)
    expect(gateway.out + gateway.err).to.match(
      /tenancy\.yaml: no such file, expected a line for each table .*: svodka tenancy proposes it/,
    )
  })
})
