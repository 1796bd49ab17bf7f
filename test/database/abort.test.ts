// Each wait of an execution, with a request that is aborted meanwhile by its client or its deadline.
import { expect } from 'chai'
import { Client } from 'pg'
import { createStop } from '../../src/model/stop.ts'
import { replicaProblem } from '../../src/serve/database/classify-error.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { startProxy, type Proxy } from '../harness/proxy.ts'
import { until } from '../harness/until.ts'
import { active, activeWait, LATCH, WAITS_FOR_LATCH } from './active.ts'
import { errorOf, serversOfTests, started } from './execute.ts'
import { readHex } from './rows.ts'
import { casesOf } from './table.ts'

/** Far longer than a test. */
const LONG_MS = 60_000

const LATE = replicaProblem('report_timeout', new Error('the deadline'))
// In the select list instead of after `from`, where PostgreSQL would materialize all rows first.
const STATEMENTS = `
  that waits for a lock           | ${WAITS_FOR_LATCH} | advisory
  that sleeps                     | select pg_sleep(50) | PgSleep
  that computes                   | select count(*)::text from generate_series(1, 30000) as a, generate_series(1, 30000) as b, generate_series(1, 30000) as c | nothing
  whose reader takes no more rows | select generate_series(1, 20000000), repeat('x', 1000) | ClientWrite
`

describe('an aborted execution', () => {
  const serverAt = serversOfTests()
  let url: string
  let latch: Client
  let proxy: Proxy

  before(async () => {
    url = (await sharedCluster()).replicaUrl
    latch = new Client({ connectionString: url })
    await latch.connect()
    await latch.query(`select pg_advisory_lock(${LATCH})`)
  })
  after(() => latch.end())
  beforeEach(async () => {
    proxy = await startProxy(url)
  })
  afterEach(() => proxy.cut())

  it('that was stopped before it began takes no connection, and ends', async () => {
    const replica = serverAt(url)
    const stop = createStop()
    const gone = new Error('the client disconnected')
    stop.stop(gone)
    expect(await errorOf(replica, 'select 1', { stop })).to.equal(gone)
    expect(replica.sessions.count()).to.equal(0)
  })

  for (const [title, text = '', wait] of casesOf(STATEMENTS)) {
    it(`${title} leaves no statement behind`, async () => {
      const replica = serverAt(url)
      let isAborted = false
      const { abort, ended } = started(replica, text, {
        timeoutMs: LONG_MS,
        read: rows => readHex(rows, async () => void (await until(() => isAborted))),
      })
      await until(async () => (await activeWait(url)) === wait)
      isAborted = true
      abort(LATE)
      expect(await ended).to.equal(LATE)
      await until(async () => (await activeWait(url)) === undefined)
      expect(replica.sessions.use()).to.include({ inUse: 0, waiting: 0 })
    })
  }

  it('releases a connection that is made after the abort', async () => {
    const replica = serverAt(url, { connectTimeoutMs: 1000 })
    const first = started(replica, 'select 1')
    await new Promise(setImmediate)
    expect(replica.sessions.use().inUse).to.equal(1)
    first.abort()
    expect(await first.ended).to.include({ message: 'aborted' })
    expect(await errorOf(replica, 'select 1'), 'on the only connection').to.equal(undefined)
  })

  it('that times out ends even if its backend is stopped, and its pool recovers', async () => {
    const POOL = 3
    const replica = serverAt(url, { poolSize: POOL })
    const hung = errorOf(replica, WAITS_FOR_LATCH, { timeoutMs: 2000 })
    // why: if a session is stopped while its connection is made, the error is another one
    const { pid } = await until(async () =>
      (await active(url)).find(({ wait }) => wait === 'advisory'),
    )
    process.kill(pid, 'SIGSTOP')
    try {
      expect(await hung).to.include({ code: 'report_timeout' })
      expect(replica.sessions.use().inUse).to.equal(0)
      expect(await errorOf(replica, 'select 1')).to.equal(undefined)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await until(async () => (await active(url)).length === 0)
    // As many concurrent executions as connections.
    const all = Array.from({ length: POOL }, () => errorOf(replica, WAITS_FOR_LATCH))
    await until(async () => (await active(url)).length === POOL)
    await latch.query(`select pg_advisory_unlock(${LATCH})`)
    expect(await Promise.all(all)).to.deep.equal(Array(POOL).fill(undefined))
    expect(replica.sessions.use().inUse).to.equal(0)
  })
})
