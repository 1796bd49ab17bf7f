import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import { startGateway } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { startProxy } from '../harness/proxy.ts'
import type { Proxy } from '../harness/proxy.ts'
import { run, sharedShops, shopsEnvironment, SHOPS_SQL_DIR } from '../support/shops.ts'
import type { Shops } from '../support/shops.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

describe('several replicas', () => {
  let shops: Shops
  let proxies: Proxy[]
  let gateway: TestGateway
  let names: string[]
  let ask: Ask

  before(async function () {
    this.timeout(60_000)
    shops = await sharedShops()
  })

  // why: one standby by two ways, of which each can be taken away alone, is two replicas to the gateway
  beforeEach(async () => {
    proxies = [await startProxy(shops.replicaUrl), await startProxy(shops.replicaUrl)]
    gateway = await startGateway({
      ...shopsEnvironment(shops),
      DATABASE_URL: proxies.map(({ url }) => url).join(','),
      KEYS_DATABASE_URL: shops.primaryUrl,
    })
    names = proxies.map(({ url }) => new URL(url).host)
    ask = asker(gateway.url, 'key of shop 1')
    await gateway.ready()
    await until(async () => !/replica \S+ degraded/.test(await verbose()))
  })

  afterEach(async () => {
    await gateway.stop()
    for (const proxy of proxies) await proxy.cut()
  })

  const verbose = async (): Promise<string> =>
    (await fetch(`${gateway.opsUrl}/readyz?verbose`)).text()
  const circuitOf = (name: string) =>
    gateway.observations.findLast(fact => fact.kind === 'circuit' && fact.replica === name)
  /** A report that is run anew each time. */
  const askNew = () => ask('/reports/receipts', { headers: { 'Cache-Control': 'no-cache' } })

  it('share the reports, and each is told of by its host and port', async () => {
    await Promise.all([1, 2, 3, 4].map(month => ask(`/reports/sleeps?from=2026-0${month}-01`)))
    const used = gateway.observations.flatMap(fact => (fact.kind === 'run' ? [fact.replica] : []))
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

  it('answer every request while one of them is away, and use it again when it is back', async () => {
    await askNew()
    await proxies[0]!.cut()
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await askNew()).status),
    )
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    await until(async () => (await verbose()).includes(`replica ${names[0]} degraded`))
    expect(await verbose()).to.contain('[+]answers ok\n')
    expect((await fetch(`${gateway.opsUrl}/readyz`)).status).to.equal(200)
    await proxies[0]!.mend()
    await until(async () => !/replica \S+ degraded/.test(await verbose()))
    const from = gateway.observations.length
    for (let count = 0; count < 20; count += 1) expect((await askNew()).status).to.equal(200)
    const used = gateway.observations
      .slice(from)
      .flatMap(fact => (fact.kind === 'run' ? [fact.replica] : []))
    // why: random is 0 here, and of the equally busy the first is taken
    expect(new Set(used)).to.deep.equal(new Set([names[0]]))
  })

  it('make a run again whose connection was killed', async () => {
    const slow = ask('/reports/sleeps')
    const busy = `select pid from pg_stat_activity
      where application_name = 'svodka reports' and state = 'active' and datname = 'shops'`
    await until(async () => (await run(shops.replicaUrl, busy)).length === 1)
    await run(shops.replicaUrl, `select pg_terminate_backend(pid) from (${busy}) as busy`)
    expect((await slow).status).to.equal(200)
    const retries = gateway.observations.filter(fact => fact.kind === 'run-retried')
    expect(retries.map(({ reason }) => reason)).to.deep.equal(['transport'])
  })

  it('that do not answer at all are left alone until they do', async function () {
    this.timeout(30_000)
    await askNew()
    shops.cluster.replica.pause()
    try {
      const hung = ask('/reports/receipts_by_month')
      await until(() => names.every(name => circuitOf(name) !== undefined))
      const unavailable = await hung
      expect([unavailable.status, unavailable.json.code]).to.deep.equal([
        503,
        'replica_unavailable',
      ])
      const cold = await ask('/reports/receipts_by_month?from=2026-05-01')
      expect(cold.status).to.equal(503)
      expect((await fetch(`${gateway.opsUrl}/readyz`)).status).to.equal(200)
      expect(await verbose()).to.contain('[+]answers degraded: no replica, 2 kept answers')
    } finally {
      shops.cluster.replica.resume()
    }
    await until(async () => (await ask('/reports/receipts_by_month')).status === 200)
  })
})

describe('a report that says how far behind a replica may be', () => {
  let shops: Shops
  let gateway: TestGateway

  before(async function () {
    this.timeout(60_000)
    shops = await sharedShops()
    const folder = temporaryFolder()
    cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
    const file = `${folder}/reports/sales/receipts.sql`
    writeFileSync(file, readFileSync(file, 'utf8').replace('\nkey:', '\nmaxLag: 4s\nkey:'))
    gateway = await startGateway({
      DATABASE_URL: shops.replicaUrl,
      KEYS_DATABASE_URL: shops.primaryUrl,
      SQL_DIR: folder,
    })
    await gateway.ready()
  })

  after(async () => {
    await run(shops.replicaUrl, 'select pg_wal_replay_resume()')
    await gateway?.stop()
  })

  it('is answered with what is kept once all are further behind, and others as ever', async function () {
    this.timeout(30_000)
    const ask = asker(gateway.url, 'key of shop 1')
    await until(async () => (await ask('/reports/receipts')).status === 200)
    await run(shops.replicaUrl, 'select pg_wal_replay_pause()')
    await run(shops.primaryUrl, `select pg_logical_emit_message(true, 'test', 'more to replay')`)
    const stale = await until(async () => {
      const answer = await ask('/reports/receipts')
      return /detail=stale/.test(answer.headers.get('Cache-Status') ?? '') && answer
    })
    expect(stale.status).to.equal(200)
    const cold = await ask('/reports/receipts?from=2026-02-01')
    expect([cold.status, cold.json.code]).to.deep.equal([503, 'replica_unavailable'])
    expect((await ask('/reports/receipts_by_month')).status).to.equal(200)
    await run(shops.replicaUrl, 'select pg_wal_replay_resume()')
    await until(async () => (await ask('/reports/receipts?from=2026-02-01')).status === 200)
  })
})
