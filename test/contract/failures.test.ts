import { expect } from 'chai'
import { asker, type Ask } from '../harness/ask.ts'
import { startProxy } from '../harness/proxy.ts'
import { run, untilExecuting } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { gatewaysOfTests, NOON, shopsGateway } from '../harness/shops-gateway.ts'
import { folderWithHeldReport, holdReports, readyz } from './gateways.ts'

const FAULTS = [
  ['too_many_rows', 400, 'result_too_large'],
  ['slow', 504, 'report_timeout'],
  ['division', 500, 'internal_error'],
  ['missing_table', 500, 'internal_error'],
  ['fraction', 500, 'internal_error'],
  ['float', 500, 'internal_error'],
  ['no_totals_row', 500, 'internal_error'],
  ['wrong_count', 500, 'internal_error'],
  ['writes', 500, 'internal_error'],
] as const

describe('failures', () => {
  const SQL_DIR = folderWithHeldReport()
  const world = shopsGateway({ SQL_DIR })
  const { ask } = world
  const start = gatewaysOfTests()
  const english = { 'Accept-Language': 'en' }

  /** Expects the problem with a Retry-After. */
  async function expectUnavailable(
    pending: ReturnType<Ask>,
    code: string,
    status = 503,
  ): Promise<void> {
    const response = await pending
    expect([response.status, response.json.code]).to.deep.equal([status, code])
    expect(Number(response.headers.get('Retry-After'))).to.be.within(1, 120)
  }

  for (const [code, status, problem] of FAULTS) {
    it(`are ${status} ${problem} for the report ${code}, and reveal no internals`, async () => {
      const response = await ask(`/reports/${code}`, { headers: english })
      expect([response.status, response.json.code]).to.deep.equal([status, problem])
      expect(response.text).to.not.match(
        /select|shop_id|no_such_table|ERROR|at .*\.js|127\.0\.0\.1/,
      )
      expect((await ask('/reports/receipts')).status, 'the next report').to.equal(200)
    })
  }

  it('end the execution, write nothing, and have a Retry-After', async () => {
    await expectUnavailable(ask('/reports/slow?from=2026-02-01'), 'report_timeout', 504)
    await untilExecuting(world.shops, 0)
    await ask('/reports/writes')
    expect(await run(world.shops.primaryUrl, 'select * from audit')).to.deep.equal([])
  })

  it('are not executed again within seconds, even with no-cache', async () => {
    const executions = () =>
      world.gateway.observations.filter(({ kind }) => kind === 'execution').length
    const first = await ask('/reports/division?from=2026-02-01', { headers: english })
    const before = executions()
    const again = await ask('/reports/division?from=2026-02-01', {
      headers: { ...english, 'Cache-Control': 'no-cache' },
    })
    expect([again.status, again.json.code]).to.deep.equal([first.status, first.json.code])
    expect(executions()).to.equal(before)
  })

  it('are 503 overloaded when no connection becomes free in time', async () => {
    const { gateway: small } = await start({
      SQL_DIR,
      REPORT_POOL_SIZE: '1',
      QUEUE_TIMEOUT: '200ms',
    })
    const [one, two] = [1, 2].map(shop => asker(small.url, `key of shop ${shop}`))
    const release = await holdReports(world.shops)
    const first = one!('/reports/held')
    await untilExecuting(world.shops, 1)
    await expectUnavailable(two!('/reports/receipts'), 'overloaded')
    const outcomes = small.observations.map(fact => fact.kind === 'execution' && fact.outcome)
    expect(outcomes.filter(Boolean)).to.deep.equal(['queue_timeout'])
    await release()
    expect((await first).status).to.equal(200)
  })

  it('are 503 replica_unavailable while the replica hangs', async () => {
    const { replica } = world.shops.cluster
    const { gateway, ask: send } = await start(
      { KEYS_DATABASE_URL: world.shops.primaryUrl },
      { limits: { connectTimeoutMs: 500 } },
    )
    await send('/reports/receipts')
    replica.pause()
    try {
      await until(() => gateway.observations.some(({ kind }) => kind === 'circuit'))
      await expectUnavailable(send('/reports/receipts_by_month'), 'replica_unavailable')
    } finally {
      replica.resume()
    }
    await until(async () => (await send('/reports/receipts_by_month')).status === 200)
  })

  it('are 503 access_unavailable while the database of keys is unreachable from the start, but 401 without a key', async () => {
    const proxy = await startProxy(world.shops.replicaUrl)
    await proxy.cut()
    const { gateway, ask: send } = await start({ KEYS_DATABASE_URL: proxy.url })
    await expectUnavailable(send('/reports/receipts'), 'access_unavailable')
    expect((await send('/ping', { key: undefined })).status).to.equal(401)
    const verbose = await readyz(gateway)
    expect(verbose).to.contain('[+]definitions degraded: not planned on the replica yet')
  })

  it('are explained by readiness if DATABASE_URL is the primary, and the probe is elsewhere', async () => {
    const { primaryUrl, replicaUrl } = world.shops
    const others = { PROBE_DATABASE_URL: replicaUrl, KEYS_DATABASE_URL: replicaUrl }
    const { gateway } = await start({ DATABASE_URL: primaryUrl, ...others }, { unready: true })
    const why = 'the server at DATABASE_URL is not in recovery; ALLOW_PRIMARY=true lets it in'
    const text = await until(async () => {
      const found = await readyz(gateway)
      return found.includes('on the replica yet:') && found
    })
    expect(text).to.contain(`[-]definitions failed: not planned on the replica yet: ${why}`)
  })

  it('are replaced by a marked stale response while no replica is available, until the stale period ends', async () => {
    let nowMs = NOON
    // why: only the address for reports becomes unreachable
    const proxy = await startProxy(world.shops.replicaUrl)
    const { ask: send } = await start(
      {
        DATABASE_URL: proxy.url,
        KEYS_DATABASE_URL: world.shops.primaryUrl,
        PROBE_DATABASE_URL: world.shops.replicaUrl,
      },
      { now: () => nowMs },
    )
    const cached = await send('/reports/receipts')
    await proxy.cut()
    nowMs += 10_000
    const stale = await send('/reports/receipts')
    expect(stale.status).to.equal(200)
    expect(stale.headers.get('Cache-Status')).to.equal('svodka; hit; ttl=-8; detail=stale')
    expect(stale.headers.get('Age')).to.equal('10')
    expect(stale.text).to.equal(cached.text)
    const headers = { 'Cache-Control': 'no-cache' }
    await expectUnavailable(send('/reports/receipts', { headers }), 'replica_unavailable')
    await expectUnavailable(send('/reports/receipts_by_month'), 'replica_unavailable')
    nowMs += 60_000
    await expectUnavailable(send('/reports/receipts'), 'replica_unavailable')
  })
})
