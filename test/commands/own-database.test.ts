// sql/README.md, "From an unknown PostgreSQL to the first exact report", executed on another product.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sharedCluster } from '../harness/cluster.ts'
import { readDocument, type Block } from '../harness/document.ts'
import { ready, startProcess } from '../harness/process.ts'
import { createShell, type Shell } from '../harness/shell.ts'
import { run } from '../harness/shops.ts'
import type { Ended } from '../harness/svodka.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { writeFiles } from '../harness/write-files.ts'
import { command } from './in-process.ts'

const CHAPTER = 'From an unknown PostgreSQL to the first exact report'
const SERVE = 'npx svodka serve\n'
const ROLES = ['freight_reports', 'freight_keys', 'freight_probe']

describe('another product', function () {
  this.timeout(120_000)
  const home = temporaryFolder()
  let shell: Shell
  let primaryUrl: string
  let replicaHost: string
  let caughtUp: () => Promise<void>
  let body: unknown

  before(async () => {
    const cluster = await sharedCluster()
    const inFreight = (url: string) => Object.assign(new URL(url), { pathname: '/freight' }).href
    await run(cluster.primaryUrl, 'drop database if exists freight')
    await run(cluster.primaryUrl, 'create database freight')
    primaryUrl = inFreight(cluster.primaryUrl)
    replicaHost = new URL(cluster.replicaUrl).host
    caughtUp = () => cluster.replicaCaughtUp()
    await run(primaryUrl, readFileSync('test/fixtures/freight/schema.sql', 'utf8'))
    await caughtUp()
    shell = createShell(home)
  })

  after(async () => {
    const cluster = await sharedCluster()
    await run(cluster.primaryUrl, 'drop database freight with (force)')
    for (const role of ROLES) await run(cluster.primaryUrl, `drop role if exists ${role}`)
    await cluster.replicaCaughtUp()
  })

  /** A file's name is in its first lines; other SQL is for the primary. */
  async function follow({ language, text }: Block): Promise<void> {
    const [, file] = /^(?:\/\*---\n)?(?:--|#) ([\w/]+\.(?:sql|yaml))\n/.exec(text) ?? []
    if (language === 'sh') return void shell.run(text.replaceAll('replica:5432', replicaHost))
    if (file === undefined) {
      await run(primaryUrl, text)
      return caughtUp()
    }
    writeFiles(shell.environment()['SQL_DIR']!, { [file]: text })
  }

  let printed = ''
  /** In this process, which is faster than `npx`. */
  async function executed(line: string): Promise<Ended> {
    const ended = await command(line, shell.environment())
    printed += ended.stdout + ended.stderr
    return ended
  }

  it('gets its first report in seven steps', async () => {
    const all = readDocument('sql/README.md').section(CHAPTER).blocks
    const served = all.findIndex(({ text }) => text === SERVE)
    expect(served).to.be.above(8)
    for (const block of all.slice(0, served)) await follow(block)
    const gateway = startProcess('serve', shell.environment())
    try {
      const { url } = await ready(gateway)
      const [curl] = all.slice(served + 1)
      const command = curl!.text.replace('http://127.0.0.1:8080', url)
      body = JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' }))
    } finally {
      gateway.child.kill('SIGINT')
      await gateway.exit
    }
  })

  it('gets the figures of its rows', async () => {
    const rows = await run<{ product: string; amount: string }>(
      primaryUrl,
      `select name as product, trunc(100 * sum(quantity * unit_price)) as amount
      from orders natural join order_details natural join products
      where ship_via = 1 and order_date between '1996-07-01' and '1996-12-31'
      group by name`,
    )
    const found = body as {
      rows: Array<{ product: string; amount: number }>
      totals: { amount: number }
    }
    const amounts = (all: ReadonlyArray<{ product: string; amount: unknown }>) =>
      Object.fromEntries(all.map(({ product, amount }) => [product, Number(amount)]))
    expect(amounts(found.rows)).to.deep.equal(amounts(rows))
    expect(found.totals.amount).to.equal(rows.reduce((sum, { amount }) => sum + Number(amount), 0))
  })

  it('can start with metrics, or with a table whose name needs a schema and quotes', async () => {
    await run(
      primaryUrl,
      `create schema tracking;
      create table tracking."Scans" (
        "scan id" integer primary key,
        "Shipper" smallint not null references shippers,
        scanned_at timestamptz not null
      );
      insert into tracking."Scans"
      select id, 1, timestamptz '1997-01-01' + id * interval '7 hours' from generate_series(1, 500) as id;
      create table carriers (carrier_id integer primary key, since date not null);
      grant usage on schema tracking to freight_reports;
      grant select on carriers, tracking."Scans" to freight_reports`,
    )
    await caughtUp()
    const { stdout } = await executed('tenancy')
    writeFiles(shell.environment()['SQL_DIR']!, { 'tenancy.yaml': stdout })
    for (const line of [
      'sales/scans --table tracking.Scans',
      'metrics/scans --table tracking.Scans',
      'metrics/freight --table orders',
    ])
      expect((await executed(`new ${line}`)).code).to.equal(0)
    const textOf = (file: string) =>
      readFileSync(join(shell.environment()['SQL_DIR']!, file), 'utf8')
    expect(textOf('reports/sales/scans.sql')).to.include(
      'from "Scans"\nwhere "Scans".scanned_at >= :period_start_at',
    )
    expect(textOf('tenancy.yaml')).to.match(/^tracking\.Scans: Shipper$/m)
    expect((await executed('check')).stderr).to.match(
      /^5 definitions in \S+ checked on .* DATABASE_URL: no findings$/m,
    )
  })

  for (const [table, found] of [
    ['order_details', 'no column has a date, expected a date or a timestamp'],
    ['carriers', 'tenancy.yaml has no such line, expected one, as svodka tenancy proposes it'],
    ['nothing', 'tenancy.yaml has no such line, expected one'],
  ]) {
    it(`rejects --table ${table}`, async () => {
      const { code, stderr } = await executed(`new sales/no --table ${table}`)
      expect(code).to.equal(2)
      expect(stderr).to.include(`--table ${table}: ${found}`)
    })
  }

  it('gets no output about the demo', () => {
    expect(shell.output() + printed).not.to.match(/demo|business|large|make |kopeck|operations/)
  })
})
