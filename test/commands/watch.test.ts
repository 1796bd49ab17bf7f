// One session of `svodka watch` on a small folder: its output and responses as files change. Each test restores the files.
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { asker, type Ask } from '../harness/ask.ts'
import { ready, startProcess, type SvodkaProcess } from '../harness/process.ts'
import { startProxy, type Proxy } from '../harness/proxy.ts'
import { sharedShops, SHOPS_SQL_DIR } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { replaceIn } from './sql-folder.ts'

const RECEIPTS = 'reports/sales/receipts.sql'
const SALES = 'metrics/sales.sql'
const ACCESS = 'access/organization_by_key.sql'
const SLEEPS = 'reports/faults/sleeps.sql'
const BROKEN = 'reports/sales/broken.sql'
const UNKNOWN_TABLE = 'reports/sales/unknown_table.sql'
const TENANCY = 'tenancy.yaml'

describe('svodka watch', () => {
  const folder = join(temporaryFolder(), 'sql')
  let proxy: Proxy
  let gateway: SvodkaProcess
  let ask: Ask
  let opsUrl: string
  /** Length of stderr before the test. */
  let heard = 0

  before(async () => {
    const { replicaUrl, primaryUrl } = await sharedShops()
    for (const file of [TENANCY, RECEIPTS, SALES, ACCESS, SLEEPS]) restore(file)
    copy(BROKEN, 'key: [receipt]', 'key: [reciept]')
    copy(UNKNOWN_TABLE, 'from receipts', 'from no_such_table as receipts')
    proxy = await startProxy(replicaUrl)
    gateway = startProcess('watch', {
      SQL_DIR: folder,
      DATABASE_URL: proxy.url,
      KEYS_DATABASE_URL: primaryUrl,
      ALLOW_PRIMARY: 'true',
    })
    const addresses = await ready(gateway)
    ask = asker(addresses.url, 'key of shop 1')
    opsUrl = addresses.opsUrl
  })
  afterEach(() => {
    heard = gateway.err.length
  })
  after(async () => {
    gateway.child.kill('SIGINT')
    expect(await gateway.exit).to.equal(0)
    await proxy.cut()
  })

  function restore(file: string): void {
    cpSync(join(SHOPS_SQL_DIR, file), join(folder, file))
  }

  function write(file: string, text: string): void {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    // why: a dry run reads the folder at any time, and may find a file that is not written yet
    writeFileSync(`${path}~`, text)
    renameSync(`${path}~`, path)
  }

  /** The receipts report under another name, with a change. */
  function copy(file: string, found: string, replaced: string): void {
    write(file, readFileSync(join(SHOPS_SQL_DIR, RECEIPTS), 'utf8').replace(found, replaced))
  }

  const change = (file: string, found: string, replaced: string) =>
    replaceIn(join(folder, file), found, replaced)

  /** Paths of files, relative to the folder's parent. */
  const heardSince = () => gateway.err.slice(heard).replaceAll(`${dirname(folder)}/`, '')

  /** Resolves when stderr has each of the texts since the start of the test. */
  async function says(...texts: string[]): Promise<void> {
    await until(() => texts.every(text => heardSince().includes(text))).catch(() => {})
    for (const text of texts) expect(heardSince()).to.contain(text)
  }

  async function titles(): Promise<string[]> {
    const { json } = await ask('/reports')
    return json.reports.map(({ title }: { title: string }) => title)
  }

  const statusOf = async (path: string) => (await ask(path)).status
  const operations = async (path: string) => (await fetch(`${opsUrl}${path}`)).text()

  it('starts without broken files, and loads them when they are fixed', async () => {
    await says(
      `sql/${BROKEN} is not served until it is fixed\n`,
      `sql/${UNKNOWN_TABLE}:37: no_such_table`,
    )
    expect(heardSince()).to.match(/^watching \S*sql$/m)
    expect(heardSince()).to.match(/^sql\/reports\/sales\/broken.sql:\d+: .*reciept/m)
    expect(await titles()).to.have.members(['Чеки', 'Чеки', 'sleeps'])
    expect(await statusOf('/reports/unknown_table')).to.equal(500)
    change(BROKEN, 'key: [reciept]', 'key: [receipt]')
    await says(`fixed sql/${BROKEN}\nadded sql/${BROKEN}\n`)
    expect(await statusOf('/reports/broken')).to.equal(200)
    const unknown = heardSince().match(
      /^\S+unknown_table.sql:37: no_such_table \(.+\): relation "public.no_such_table" does not/gm,
    )
    expect(unknown, 'said once').to.have.lengthOf(1)
    for (const file of [BROKEN, UNKNOWN_TABLE]) rmSync(join(folder, file))
    await says(`removed sql/${BROKEN}\n`, `removed sql/${UNKNOWN_TABLE}\n`)
  })

  it('serves saved changes, also by rename, and prints what was reloaded', async () => {
    const text = readFileSync(join(folder, RECEIPTS), 'utf8')
    write(RECEIPTS, text.replace('title: Чеки', 'title: Все').replace('title: Сумма', 'title: На'))
    await says(`reloaded sql/${RECEIPTS}\n`)
    expect(await titles()).to.include('Все')
    const { columns } = (await ask('/reports/receipts')).json
    expect(columns.map(({ title }: { title: string }) => title)).to.contain('На')
    expect(heardSince()).to.equal(`reloaded sql/${RECEIPTS}\n`)
    for (let save = 1; save <= 30; save += 1) {
      write('reports/sales/.receipts.sql.swp', text)
      write('reports/sales/4913', save === 30 ? text : text.replace('Чеки', `Чеки ${save}`))
      renameSync(join(folder, 'reports/sales/4913'), join(folder, RECEIPTS))
    }
    await until(async () => (await titles()).includes('Чеки'))
    expect(heardSince().split('\n')).to.have.lengthOf.below(10)
  })

  it('loads new files, in new folders, and changed metrics', async () => {
    // why: an editor's lock is a link that leads nowhere
    symlinkSync('me@host.123:1', join(folder, 'reports/sales/.#receipts.sql'))
    copy('reports/new/more.sql', 'title: Чеки', 'title: Ещё')
    change(SALES, 'revenue: { title: Выручка', 'turnover: { title: Оборот')
    change(SALES, 'as revenue', 'as turnover')
    await says('added sql/reports/new/more.sql\n', `reloaded sql/${SALES}\n`)
    expect(await statusOf('/reports/more')).to.equal(200)
    const metrics = await operations('/metrics')
    expect(metrics).to.match(/svodka_http_requests_total\{.*report="more",status="200"\} 1\n/)
    expect(metrics).to.match(/svodka_runs_total\{definition="more",outcome="ok"\} 1\n/)
    expect(metrics).to.contain('svodka_definitions_loaded{kind="report"} 3\n')
    const { status, json } = await ask('/metrics?codes=turnover')
    expect([status, json.metrics[0].title]).to.deep.equal([200, 'Оборот'])
    expect((await ask('/metrics?codes=revenue')).json.code).to.equal('metric_not_found')
  })

  it('removes deleted files, finishes their open requests, and loads them again', async () => {
    const inFlight = ask('/reports/sleeps')
    await until(async () =>
      (await operations('/metrics')).includes('svodka_http_requests_in_flight 1\n'),
    )
    rmSync(join(folder, 'reports'), { recursive: true })
    await says(`removed sql/${RECEIPTS}\n`, `removed sql/${SLEEPS}\n`)
    expect((await ask('/reports/receipts')).json.code).to.equal('report_not_found')
    restore(RECEIPTS)
    await says(`added sql/${RECEIPTS}\n`)
    expect(await statusOf('/reports/receipts')).to.equal(200)
    change(RECEIPTS, 'title: Чеки', 'title: Опять')
    await says(`reloaded sql/${RECEIPTS}\n`)
    restore(RECEIPTS)
    await until(async () => (await titles()).includes('Чеки'))
    expect((await inFlight).status).to.equal(200)
  })

  it('serves the last good version of a file that does not load', async () => {
    change(RECEIPTS, ':organization_id', ':organisation_id')
    await says(`sql/${RECEIPTS}:38: `, `the last good version of sql/${RECEIPTS} is still used\n`)
    expect(await statusOf('/reports/receipts')).to.equal(200)
    expect((await fetch(`${opsUrl}/readyz`)).status).to.equal(200)
    restore(RECEIPTS)
    await says(`fixed sql/${RECEIPTS}\n`)
  })

  it('prints why a file does not fit the database, and serves it', async () => {
    change(RECEIPTS, '.weight,', '.note as weight,')
    await says(`sql/${RECEIPTS}:9: function sum(text) does not`, `reloaded sql/${RECEIPTS}\n`)
    expect(await statusOf('/reports/receipts')).to.equal(500)
    restore(RECEIPTS)
    await says(`fixed sql/${RECEIPTS}\n`)
    expect(await statusOf('/reports/receipts')).to.equal(200)
  })

  it('leaves a code to the file that had it', async () => {
    const early = 'reports/early/receipts.sql'
    copy(early, 'title: Чеки', 'title: Не те')
    await says(
      `sql/${early}:1: report "receipts" is also in sql/${RECEIPTS}, expected each code once`,
    )
    change(RECEIPTS, 'title: Чеки', 'title: Те')
    await says(`reloaded sql/${RECEIPTS}\n`)
    expect(await titles()).to.deep.equal(['Те'])
    rmSync(join(folder, RECEIPTS))
    await says(`fixed sql/${early}\nadded sql/${early}\n`)
    expect(await titles()).to.deep.equal(['Не те'])
    rmSync(join(folder, early))
    restore(RECEIPTS)
    await until(async () => (await titles())[0] === 'Чеки')
  })

  it('uses the last good key look-up', async () => {
    change(ACCESS, ':key_hashes', ':key_hash')
    await says(`the last good version of sql/${ACCESS} is still used\n`)
    expect(await statusOf('/ping')).to.equal(200)
    change(ACCESS, ':key_hash', ':key_hashes')
    change(ACCESS, 'shop_keys.hash = any', 'false and shop_keys.hash = any')
    await says(`reloaded sql/${ACCESS}\n`)
    expect(await statusOf('/ping')).to.equal(401)
    rmSync(join(folder, ACCESS))
    await says(`sql/${ACCESS}: no such file`)
    expect(await statusOf('/ping')).to.equal(401)
    restore(ACCESS)
    await until(async () => (await statusOf('/ping')) === 200)
  })

  it('does not use changes while the replica is unavailable', async () => {
    await proxy.cut()
    change(RECEIPTS, 'title: Чеки', 'titel: Чеки')
    await says(`the last good version of sql/${RECEIPTS} is still used\n`)
    change(RECEIPTS, 'titel: Чеки', 'title: Снова')
    await until(() => gateway.out.includes('changed definitions are used once'))
    expect(await titles()).to.deep.equal(['Чеки'])
    await proxy.mend()
    await says(`reloaded sql/${RECEIPTS}\n`)
    expect(await titles()).to.deep.equal(['Снова'])
  })
})
