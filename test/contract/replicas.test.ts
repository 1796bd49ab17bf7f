import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import type { TestGateway } from '../harness/gateway.ts'
import { startProxy, type Proxy } from '../harness/proxy.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { executingPids, run, sharedShops, untilExecuting, type Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { folderWithHeldReport, holdReports, readyz } from './gateways.ts'

describe('several replicas', () => {
  let shops: Shops
  let proxies: Proxy[]
  let gateway: TestGateway
  let names: string[]
  let ask: Ask

  const SQL_DIR = folderWithHeldReport()
  const start = gatewaysOfTests()
  before(async () => (shops = await sharedShops()))

  // why: one standby with two addresses, which can be cut separately, counts as two replicas
  beforeEach(async () => {
    proxies = [await startProxy(shops.replicaUrl), await startProxy(shops.replicaUrl)]
    const DATABASE_URL = proxies.map(({ url }) => url).join(',')
    const started = await start({ SQL_DIR, DATABASE_URL, KEYS_DATABASE_URL: shops.primaryUrl })
    gateway = started.gateway
    ask = started.ask
    names = proxies.map(({ url }) => new URL(url).host)
    await until(async () => !/replica \S+ degraded/.test(await verbose()))
  })
  afterEach(async () => {
    for (const proxy of proxies) await proxy.cut()
  })

  const verbose = (): Promise<string> => readyz(gateway)
  /** Requests a report that is executed each time. */
  const executeReport = () => ask('/reports/receipts', { headers: { 'Cache-Control': 'no-cache' } })

  it('share the reports, and are named by host and port', async () => {
    const release = await holdReports(shops)
    const held = []
    for (const month of [1, 2, 3, 4]) {
      held.push(ask(`/reports/held?from=2026-0${month}-01`))
      await untilExecuting(shops, month)
    }
    await release()
    await Promise.all(held)
    const used = gateway.observations.flatMap(fact =>
      fact.kind === 'execution' ? [fact.replica] : [],
    )
    expect(used).to.have.members([names[0], names[0], names[1], names[1]])
    const exposition = await (await fetch(`${gateway.opsUrl}/metrics`)).text()
    for (const name of names) {
      expect(exposition).to.contain(`svodka_replica_runs_total{replica="${name}",outcome="ok"} 2`)
      expect(exposition).to.contain(`svodka_replica_up{replica="${name}"} 1`)
      expect(await verbose()).to.match(
        new RegExp(`\\[\\+\\]replica ${name} ok: at most .* s behind`),
      )
    }
  })

  it('serve every request while one is unreachable, and use it again afterwards', async () => {
    await executeReport()
    await proxies[0]!.cut()
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await executeReport()).status),
    )
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    await until(async () => (await verbose()).includes(`replica ${names[0]} degraded`))
    expect(await verbose()).to.contain('[+]answers ok\n')
    expect((await fetch(`${gateway.opsUrl}/readyz`)).status).to.equal(200)
    await proxies[0]!.mend()
    await until(async () => !/replica \S+ degraded/.test(await verbose()))
    const from = gateway.observations.length
    for (let count = 0; count < 20; count += 1) expect((await executeReport()).status).to.equal(200)
    const used = gateway.observations
      .slice(from)
      .flatMap(fact => (fact.kind === 'execution' ? [fact.replica] : []))
    // why: random is 0 here, so the first of equally busy replicas is used
    expect(new Set(used)).to.deep.equal(new Set([names[0]]))
  })

  it('retry an execution whose connection was terminated', async () => {
    const release = await holdReports(shops)
    const slow = ask('/reports/held')
    await untilExecuting(shops, 1)
    const [pid] = await executingPids(shops)
    await run(shops.replicaUrl, `select pg_terminate_backend(${pid})`)
    await release()
    expect((await slow).status).to.equal(200)
    const retries = gateway.observations.filter(fact => fact.kind === 'execution-retried')
    expect(retries.map(({ reason }) => reason)).to.deep.equal(['transport'])
  })

  it('beyond REPORTS_MAX_LAG are degraded, and execute reports', async () => {
    const late = await start({ KEYS_DATABASE_URL: shops.primaryUrl, REPORTS_MAX_LAG: '2s' })
    const untilShown = (words: RegExp): Promise<unknown> =>
      until(async () => {
        await run(shops.primaryUrl, 'select pg_current_xact_id()')
        return words.test(await readyz(late.gateway))
      })
    const configure = async (change: string): Promise<void> => {
      await run(shops.replicaUrl, `alter system ${change}`)
      await run(shops.replicaUrl, 'select pg_reload_conf()')
    }
    await configure("set recovery_min_apply_delay = '1h'")
    try {
      await untilShown(
        /^200 [^]*replica \S+ degraded: at most \S+ s behind, more than REPORTS_MAX_LAG$/m,
      )
      expect((await late.ask('/reports/receipts')).status).to.equal(200)
    } finally {
      await configure('reset recovery_min_apply_delay')
    }
    await untilShown(/replica \S+ ok: at most/)
  })
})
