import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import { startGateway } from '../support/gateway.ts'
import { startProxy } from '../support/proxy.ts'
import { run, shopsEnvironment } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { NOON, shopsGateway } from '../support/world.ts'

describe('failures', () => {
  const world = shopsGateway()
  const ask: Ask = (path, options) => world.ask(path, options)
  const english = { 'Accept-Language': 'en' }

  const faults: Array<[string, number, string]> = [
    ['too_many_rows', 400, 'result_too_large'],
    ['slow', 504, 'report_timeout'],
    ['division', 500, 'internal_error'],
    ['missing_table', 500, 'internal_error'],
    ['fraction', 500, 'internal_error'],
    ['float', 500, 'internal_error'],
    ['not_a_number', 500, 'internal_error'],
    ['no_totals_row', 500, 'internal_error'],
    ['wrong_count', 500, 'internal_error'],
    ['writes', 500, 'internal_error'],
  ]
  for (const [code, status, problem] of faults) {
    it(`answers ${status} ${problem} for the report ${code}, and shows nothing of its inside`, async () => {
      const answer = await ask(`/reports/${code}`, { headers: english })
      expect([answer.status, answer.json.code]).to.deep.equal([status, problem])
      expect(answer.text).to.not.match(/select|shop_id|no_such_table|ERROR|at .*\.js|127\.0\.0\.1/)
      expect((await ask('/reports/receipts')).status, 'the next report').to.equal(200)
    })
  }

  it('are known before a client asks, where a definition cannot be planned on the replica', async () => {
    const refused = () =>
      world.gateway.observations.flatMap(fact =>
        fact.kind === 'definition-refused' ? [fact.definition] : [],
      )
    await until(() => refused().length >= 2)
    expect(refused()).to.deep.equal(['float', 'missing_table'])
  })

  it('tells those who may try again when to', async () => {
    const { headers } = await ask('/reports/slow?from=2026-02-01')
    expect(Number(headers.get('Retry-After'))).to.be.within(1, 120)
  })

  it('does not run a report again that has just failed, whatever the client says', async () => {
    const runs = () => world.gateway.observations.filter(({ kind }) => kind === 'run').length
    const first = await ask('/reports/division?from=2026-02-01', { headers: english })
    const before = runs()
    const again = await ask('/reports/division?from=2026-02-01', {
      headers: { ...english, 'Cache-Control': 'no-cache' },
    })
    expect([again.status, again.json.code]).to.deep.equal([first.status, first.json.code])
    expect(runs()).to.equal(before)
  })

  it('leaves nothing running on the replica after a time-out', async () => {
    await ask('/reports/slow?from=2026-03-01')
    expect(await running(world.shops.replicaUrl)).to.equal(0)
  })

  it('cancels a run when the last client who waited for it has left', async () => {
    const leave = new AbortController()
    const url = `${world.gateway.url}/api/public/v1/reports/sleeps_long`
    const request = fetch(url, { headers: { 'X-Api-Key': 'key of shop 1' }, signal: leave.signal })
    await until(async () => (await running(world.shops.replicaUrl)) === 1)
    leave.abort()
    await request.catch(() => undefined)
    await until(async () => (await running(world.shops.replicaUrl)) === 0)
  })

  it('writes nothing, whatever a definition tries', async () => {
    await ask('/reports/writes')
    expect(await run(world.shops.primaryUrl, 'select * from audit')).to.deep.equal([])
  })

  it('answers overloaded when no connection becomes free in time', async () => {
    const environment = {
      ...shopsEnvironment(world.shops),
      REPORT_POOL_SIZE: '1',
      QUEUE_TIMEOUT: '200ms',
    }
    const small = await startGateway(environment)
    try {
      await small.ready()
      const [one, two] = [1, 2].map(shop => asker(small.url, `key of shop ${shop}`))
      const first = one!('/reports/sleeps')
      await until(async () => (await running(world.shops.replicaUrl)) === 1)
      const second = await two!('/reports/receipts')
      expect([second.status, second.json.code]).to.deep.equal([503, 'overloaded'])
      expect(Number(second.headers.get('Retry-After'))).to.be.within(1, 120)
      expect((await first).status).to.equal(200)
    } finally {
      await small.stop()
    }
  })

  it('answers access_unavailable, not a guess, when no database can check the key', async () => {
    const nowhere = await startGateway({
      ...shopsEnvironment(world.shops),
      KEYS_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    })
    try {
      const answer = await asker(nowhere.url, 'key of shop 1')('/ping')
      expect([answer.status, answer.json.code]).to.deep.equal([503, 'access_unavailable'])
      expect(Number(answer.headers.get('Retry-After'))).to.be.within(1, 120)
      const none = await asker(nowhere.url, '')('/ping', { key: undefined })
      expect(none.status, 'without a key').to.equal(401)
    } finally {
      await nowhere.stop()
    }
  })

  it('frees its slots when the replica hangs, and answers again when it goes on', async function () {
    this.timeout(30_000)
    const { replica } = world.shops.cluster
    const environment = {
      ...shopsEnvironment(world.shops),
      KEYS_DATABASE_URL: world.shops.primaryUrl,
    }
    const gateway = await startGateway({ ...environment, CONNECT_TIMEOUT: '500ms' })
    const askIt = asker(gateway.url, 'key of shop 1')
    try {
      await gateway.ready()
      await askIt('/reports/receipts')
      replica.pause()
      await new Promise(resolve => setTimeout(resolve, 3500))
      const hung = await askIt('/reports/receipts_by_month')
      expect([hung.status, hung.json.code]).to.deep.equal([503, 'replica_unavailable'])
    } finally {
      replica.resume()
    }
    await until(async () => (await askIt('/reports/receipts_by_month')).status === 200)
    await gateway.stop()
  })

  it('waits for a database of keys that is away at the start', async () => {
    const proxy = await startProxy(world.shops.replicaUrl)
    await proxy.cut()
    const gateway = await startGateway({
      ...shopsEnvironment(world.shops),
      KEYS_DATABASE_URL: proxy.url,
    })
    try {
      await gateway.ready()
      const answer = await asker(gateway.url, 'key of shop 1')('/reports/receipts')
      expect([answer.status, answer.json.code]).to.deep.equal([503, 'access_unavailable'])
      const verbose = await (await fetch(`${gateway.opsUrl}/readyz?verbose`)).text()
      expect(verbose).to.contain('[+]definitions degraded: not planned on the replica yet')
    } finally {
      await gateway.stop()
    }
  })

  it('serves a marked stale answer while no replica can give a newer one, then the problem', async () => {
    let nowMs = NOON
    // why: reports go to an address that can be taken away, keys to one that stays
    const proxy = await startProxy(world.shops.replicaUrl)
    const gateway = await startGateway(
      {
        ...shopsEnvironment(world.shops),
        DATABASE_URL: proxy.url,
        KEYS_DATABASE_URL: world.shops.primaryUrl,
        PROBE_DATABASE_URL: world.shops.replicaUrl,
      },
      { now: () => nowMs },
    )
    try {
      await gateway.ready()
      const askIt = asker(gateway.url, 'key of shop 1')
      const kept = await askIt('/reports/receipts')
      await proxy.cut()
      nowMs += 10_000
      const stale = await askIt('/reports/receipts')
      expect(stale.status).to.equal(200)
      expect(stale.headers.get('Cache-Status')).to.equal('svodka; hit; ttl=-8; detail=stale')
      expect(stale.headers.get('Age')).to.equal('10')
      expect(stale.text).to.equal(kept.text)
      const cold = await askIt('/reports/receipts_by_month')
      expect([cold.status, cold.json.code]).to.deep.equal([503, 'replica_unavailable'])
      nowMs += 60_000
      expect((await askIt('/reports/receipts')).status).to.equal(503)
    } finally {
      await gateway.stop()
      await proxy.cut()
    }
  })
})

async function running(url: string): Promise<number> {
  const rows = await run<{ count: string }>(
    url,
    `select count(*) from pg_stat_activity
     where application_name = 'svodka reports' and state = 'active' and datname = 'shops'`,
  )
  return Number(rows[0]?.count)
}
