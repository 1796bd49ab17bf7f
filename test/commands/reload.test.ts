// `svodka serve` reloads definitions by SIGHUP.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { shopsFolder } from '../contract/gateways.ts'
import type { Answer, Ask } from '../harness/ask.ts'
import { metricOf } from '../harness/exposition.ts'
import { startProcess } from '../harness/process.ts'
import { processesOfTests } from '../harness/shops-gateway.ts'
import { sharedShops, SHOPS_SQL_DIR, shopsEnvironment } from '../harness/shops.ts'
import { until } from '../harness/until.ts'

const RECEIPTS = 'reports/sales/receipts.sql'
const BY_MONTH = 'reports/sales/receipts_by_month.sql'
const ADDED = 'reports/sales/receipts_again.sql'
const HEARTBEAT = 'replica/heartbeat.sql'
const LAST_RELOAD = 'svodka_definitions_last_reload_successful'

/** A folder whose definitions can all be executed, with `sleeps` for requests in flight. */
function soundFolder(): string {
  const sleeps = readFileSync(join(SHOPS_SQL_DIR, 'reports/faults/sleeps.sql'), 'utf8')
  return shopsFolder({ 'reports/faults': undefined, 'reports/sales/sleeps.sql': sleeps })
}

describe('reloading definitions', () => {
  const start = processesOfTests()

  async function started(environment: NodeJS.ProcessEnv = {}) {
    const folder = soundFolder()
    const gateway = await start({ SQL_DIR: folder, ...environment })
    const { ask, opsUrl } = gateway
    const change = (file: string, from: string, to: string): void => {
      const text = readFileSync(join(folder, file), 'utf8')
      expect(text).to.contain(from)
      writeFileSync(join(folder, file), text.replace(from, to))
    }
    const reloadCount = (): number => gateway.out.split('the definitions are reloaded').length - 1
    const reload = async (): Promise<void> => {
      const before = reloadCount()
      gateway.child.kill('SIGHUP')
      await until(() => reloadCount() > before)
    }
    return { folder, gateway, ask, opsUrl, change, reload }
  }

  const outcomeOf = ({ headers }: Answer) =>
    headers
      .get('Cache-Status')
      ?.split(';')
      .map(part => part.trim())[1]

  /** Requests until it is stopped. @returns stops, and returns the number of each status */
  function load(ask: Ask, paths: readonly string[]) {
    const counts: Record<string, number> = {}
    const over = new AbortController()
    const clients = paths.map(async path => {
      while (!over.signal.aborted) {
        const status = await ask(path).then(
          answer => answer.status,
          (error: Error) => error.message,
        )
        counts[status] = (counts[status] ?? 0) + 1
      }
    })
    return async () => {
      over.abort()
      await Promise.all(clients)
      return counts
    }
  }

  it('shows other titles of groups, though no definition has changed', async () => {
    const { folder, gateway, reload } = await started({ EXPLORER: 'on' })
    const product =
      'language: ru\ncurrency: { code: RUB }\ntotal: Итого\npage: { groups: { sales: Продажи } }\n'
    writeFileSync(join(folder, 'product.yaml'), product)
    await reload()
    expect(await (await fetch(gateway.url)).text()).to.contain('&#34;sales&#34;:&#34;Продажи&#34;')
    expect(gateway.out).to.contain('/product.yaml"],"removed":[]')
  })

  it('loses no request, drops responses of changed definitions only, and updates what lists them', async () => {
    const { folder, gateway, ask, opsUrl, change, reload } = await started()
    const paths = ['/reports/receipts', '/reports/receipts_by_month'].map(
      path => `${path}?from=2020-01-01&to=2020-12-31`,
    )
    for (const path of [...paths, ...paths]) await ask(path)
    for (const path of paths) expect(outcomeOf(await ask(path))).to.equal('hit')
    change(RECEIPTS, 'order by receipts.sold_at', 'order by receipts.sold_at desc')
    await reload()
    expect(outcomeOf(await ask(paths[0]!)), 'of a changed definition').to.equal('fwd=miss')
    for (const path of paths) expect(outcomeOf(await ask(path))).to.equal('hit')

    const before = await ask('/reports/receipts')
    const etag = before.headers.get('ETag') ?? ''
    await ask('/reports/receipts_by_month')
    expect(outcomeOf(await ask('/reports/receipts_by_month'))).to.equal('hit')
    const inFlight = ask('/reports/sleeps')
    const stop = load(ask, [
      '/reports/receipts',
      '/reports/receipts_by_month',
      '/reports/receipts_by_month.csv',
      '/metrics',
      '/reports/receipts?from=2020-01-01&to=2020-01-01',
      '/reports',
    ])
    for (let round = 1; round <= 4; round += 1) {
      change(RECEIPTS, 'title: Номер', `title: Номер ${round}`)
      await reload()
      await sleep(100)
    }
    change(RECEIPTS, 'title: Чеки', 'title: Чеки кассы')
    writeFileSync(join(folder, ADDED), readFileSync(join(folder, BY_MONTH)))
    rmSync(join(folder, 'reports/sales/sleeps.sql'))
    await reload()
    const counts = await stop()
    expect(Object.keys(counts)).to.eql(['200'])
    expect(counts['200']).to.be.greaterThan(50)
    expect((await inFlight).status, 'in flight while its definition is removed').to.equal(200)
    expect((await ask('/reports/sleeps')).status).to.equal(404)

    const after = await ask('/reports/receipts', { headers: { 'If-None-Match': etag } })
    expect(after.status).to.equal(200)
    expect(after.headers.get('ETag')).to.not.equal(etag)
    expect(after.json.columns[0].title).to.equal('Номер 4 3 2 1')
    const reports = (await ask('/reports')).json.reports as Array<{ code: string; title: string }>
    expect(reports.map(({ title }) => title)).to.contain('Чеки кассы')
    expect(reports.map(({ code }) => code)).to.contain('receipts_again')
    const openapi = (await ask('/openapi.json')).text
    expect(openapi).to.contain('receipts_again').and.contain('Чеки кассы').and.not.contain('sleeps')
    const added = { definition: 'receipts_again' }
    expect(await metricOf({ opsUrl }, 'svodka_run_rows_total', added)).to.equal(0)
    expect(gateway.out).to.match(/"added":\["sql\/reports\/sales\/receipts_again\.sql"\]/)
  })

  it('lists values anew if only their type has changed', async () => {
    const { folder, ask, change, reload } = await started()
    const file = join(folder, RECEIPTS)
    const text = readFileSync(file, 'utf8')
    const sql = 'select id as value, id as label from receipts order by id'
    const declared = `parameters: { one: { title: Чек, type: integer, values: { sql: "${sql}" } } }\n---*/`
    const named = text.replace('---*/', declared).replace('where', 'where :one is not null and')
    writeFileSync(file, named)
    await reload()
    const first = async () =>
      (await ask('/reports/receipts/parameters')).json.parameters[0].values[0].value
    expect(await first()).to.equal(101)
    change(RECEIPTS, 'type: integer, values', 'type: text, values')
    await reload()
    expect(await first()).to.equal('101')
  })

  it('changes nothing if a file does not load, a statement is rejected or ids do not fit, and says why', async () => {
    const { folder, gateway, ask, opsUrl, change, reload } = await started()
    const before = (await ask('/reports/receipts')).text
    change(BY_MONTH, 'title:', 'titel:')
    change(RECEIPTS, 'from receipts', 'from no_such_table as receipts')
    rmSync(join(folder, 'metrics/sales.sql'))
    mkdirSync(join(folder, 'replica'))
    writeFileSync(join(folder, HEARTBEAT), 'select written_at from no_such_heartbeat')
    gateway.child.kill('SIGHUP')
    await until(() => gateway.out.includes('the definitions are not reloaded'))
    expect((await ask('/reports/receipts')).text).to.equal(before)
    expect(await metricOf({ opsUrl }, LAST_RELOAD)).to.equal(0)
    const lines = gateway.out.split('\n').filter(line => line.includes('"level":"error"'))
    expect(lines.find(line => line.includes(BY_MONTH))).to.match(/"line":2.*titel/)
    expect(lines.find(line => line.includes(RECEIPTS))).to.contain('no_such_table')
    expect(lines.find(line => line.includes(HEARTBEAT))).to.contain('no_such_heartbeat')
    const readiness = await fetch(`${opsUrl}/readyz?verbose`)
    expect(readiness.status).to.equal(200)
    expect(await readiness.text()).to.match(/^\[\+\]reload degraded: the previous.*titel/m)

    rmSync(join(folder, HEARTBEAT))
    change(BY_MONTH, 'titel:', 'title:')
    change(RECEIPTS, 'from no_such_table as receipts', 'from receipts')
    await reload()
    expect(await metricOf({ opsUrl }, LAST_RELOAD)).to.equal(1)
    expect(gateway.out).to.match(/"removed":\["sql\/metrics\/sales\.sql"\]/)

    const access = 'access/organization_by_key.sql'
    const id = /(\S+) as organization_id/.exec(readFileSync(join(folder, access), 'utf8'))![1]!
    change(access, `${id} as organization_id`, `md5(${id}::text)::uuid as organization_id`)
    gateway.child.kill('SIGHUP')
    await until(() => gateway.out.split('the definitions are not reloaded').length === 3)
    expect((await ask('/reports/receipts')).status, 'with ids of another type').to.equal(200)
    expect(await (await fetch(`${opsUrl}/readyz?verbose`)).text()).to.contain('[+]definitions ok')
  })

  it('reloads after a SIGHUP that arrives before the definitions are loaded', async function () {
    if (process.platform !== 'linux') return this.skip()
    const settings = { ...shopsEnvironment(await sharedShops()), SQL_DIR: soundFolder() }
    const gateway = startProcess('serve', settings)
    const handlesSignal = () => {
      const [, mask = '0'] =
        /^SigCgt:\s*(\w+)/m.exec(readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8')) ?? []
      return Number.parseInt(mask.slice(-1), 16) % 2 === 1
    }
    await until(handlesSignal)
    expect(gateway.out).to.equal('')
    gateway.child.kill('SIGHUP')
    await until(() => gateway.out.includes('no file has changed'))
    gateway.child.kill('SIGKILL')
  })
})
