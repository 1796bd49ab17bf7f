// A load that takes longer than a request may wait: the request is sent away, and the next one gets the result, once.
import { expect } from 'chai'
import { expectProblem, type Ask } from '../harness/ask.ts'
import { LIMITS } from '../../src/config/limits.ts'
import { MAX_TIMEOUT } from '../../src/definitions/schemas.ts'
import { fixture } from '../harness/fixtures.ts'
import { startGateway } from '../harness/gateway.ts'
import { startProxy } from '../harness/proxy.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { sharedShops, untilExecuting } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { folderWithHeldReport, holdReports, PREFIX } from './gateways.ts'
import { registerOf } from './register.ts'

const NO_CACHE = { headers: { 'Cache-Control': 'no-cache' } }

describe('a load that takes longer than a request may wait', () => {
  const start = gatewaysOfTests()
  const SQL_DIR = folderWithHeldReport({
    'reports/sales/large.sql': registerOf(8000, {
      units: 'case n when 8000 then hold(:organization_id) else n end',
    }).replace('timeout: 20s', 'timeout: 20s\nfresh: { open: 1s, closed: 1s }\nstale: 1s'),
    'reports/sales/stale.sql': registerOf(10, {
      units: 'case n when 10 then hold(:organization_id) else n end',
    }).replace('timeout: 20s', 'timeout: 20s\nfresh: { open: 1s, closed: 1s }\nstale: 1h'),
  })
  const SHORT = folderWithHeldReport({
    'reports/sales/limited.sql': fixture('reports/faults/held').replace('20s', '1s'),
  })
  const limits = { longestWaitMs: 500, maxCachedBytes: 65_536 }
  const startImpatient = () => start({ SQL_DIR }, { limits })

  for (const report of ['held', 'large']) {
    it(`goes on, and the next request gets the result once, with its age: ${report}`, async () => {
      const { gateway, ask } = await startImpatient()
      const executions = () => gateway.observations.filter(({ kind }) => kind === 'execution')
      const release = await holdReports(await sharedShops())
      const path = `/reports/${report}`
      for (const options of [{}, NO_CACHE]) {
        const { status, headers, json } = await ask(path, options)
        expect([status, json.code]).to.deep.equal([503, 'overloaded'])
        expect(headers.get('Retry-After')).to.equal('10')
      }
      await untilExecuting(await sharedShops(), 1)
      await release()
      await until(() => executions().length === 1)
      // The result is not fresh any more.
      await new Promise(resolve => setTimeout(resolve, 1200))
      expect((await ask(path, { ...NO_CACHE, method: 'HEAD' })).status).to.equal(200)
      expect(executions(), 'a HEAD does not use it up').to.have.length(1)
      const owed = await ask(path, NO_CACHE)
      expect(owed.status).to.equal(200)
      expect(Number(owed.headers.get('Age'))).to.be.greaterThan(0)
      expect(executions()).to.have.length(1)
      // A busy machine may need more than one wait for it.
      await until(async () => (await ask(path, NO_CACHE)).status === 200)
      expect(executions()).to.have.length(2)
    })
  }

  it('is shared by a request that comes back before it ends', async () => {
    const { gateway, ask } = await startImpatient()
    const release = await holdReports(await sharedShops())
    expect((await ask('/reports/held')).status).to.equal(503)
    const again: Array<Awaited<ReturnType<Ask>>> = []
    void ask('/reports/held', NO_CACHE).then(response => again.push(response))
    await new Promise(resolve => setTimeout(resolve, 100))
    await release()
    const { status, headers } = await until(() => again[0])
    expect([status, headers.get('Cache-Status')]).to.deep.equal([
      200,
      'svodka; fwd=request; stored; collapsed',
    ])
    const executions = gateway.observations.filter(({ kind }) => kind === 'execution')
    expect(executions).to.have.length(1)
  })

  it('is report_timeout, not promised, if it has the longest timeout', async () => {
    // The difference of the two limits is that of a gateway with the longest timeout.
    const marginMs = LIMITS.longestWaitMs - Number.parseInt(MAX_TIMEOUT, 10) * 1000
    const { ask } = await start({ SQL_DIR: SHORT }, { limits: { longestWaitMs: 1000 + marginMs } })
    await holdReports(await sharedShops())
    expectProblem(await ask('/reports/limited'), 504, 'report_timeout')
  })

  it('is owed to a client that was sent away after its end', async () => {
    const shops = await sharedShops()
    const proxy = await startProxy(shops.replicaUrl)
    const { gateway, ask } = await start(
      { SQL_DIR, KEYS_DATABASE_URL: proxy.url, PROBE_DATABASE_URL: shops.replicaUrl },
      { limits: { keyTimeoutMs: 300 } },
    )
    const release = await holdReports(shops)
    const response = ask('/reports/held', NO_CACHE)
    await untilExecuting(shops, 1)
    // Its key is looked up again after a second.
    await new Promise(resolve => setTimeout(resolve, 1000))
    proxy.drop()
    await release()
    expect((await response).status).to.equal(503)
    proxy.carry()
    await until(async () => (await ask('/reports/held', NO_CACHE)).status === 200)
    const executions = gateway.observations.filter(({ kind }) => kind === 'execution')
    expect(executions).to.have.length(1)
    await proxy.cut()
  })

  it('is answered by a stale response at the deadline, if there is one', async () => {
    const { ask } = await startImpatient()
    expect((await ask('/reports/stale')).status).to.equal(200)
    await new Promise(resolve => setTimeout(resolve, 1000))
    await holdReports(await sharedShops())
    const { status, headers } = await ask('/reports/stale')
    expect([status, headers.get('Cache-Status')]).to.deep.equal([
      200,
      'svodka; hit; ttl=-1; detail=stale',
    ])
  })

  it('is cancelled if its only client has disconnected, and when the gateway stops', async () => {
    const gateway = await startGateway({ SQL_DIR }, { limits })
    await holdReports(await sharedShops())
    const client = new AbortController()
    const headers = { 'X-Api-Key': 'key of shop 1' }
    const url = `${gateway.url}${PREFIX}/reports/held`
    const response = fetch(url, { headers, signal: client.signal }).catch(() => 'aborted')
    await untilExecuting(await sharedShops(), 1)
    client.abort()
    expect(await response).to.equal('aborted')
    await untilExecuting(await sharedShops(), 0)
    expect((await fetch(url, { headers })).status).to.equal(503)
    await untilExecuting(await sharedShops(), 1)
    await gateway.stop()
    await untilExecuting(await sharedShops(), 0)
  })
})
