// Servers that say nothing any more: executions end in their time, and the pool is whole again afterwards.
import { expect } from 'chai'
import { Client } from 'pg'
import type { Replica } from '../../src/replica/replica.ts'
import { sharedCluster } from '../support/cluster.ts'
import { until } from '../support/until.ts'
import { active, LATCH, WAITS_FOR_LATCH } from './active.ts'
import { errorOf, replicasOfTests } from './execute.ts'

const POOL = 3

describe('a server that is silent', function () {
  this.timeout(30_000)
  const replicaAt = replicasOfTests()
  let url: string
  let latch: Client

  before(async () => {
    url = (await sharedCluster()).replicaUrl
    latch = new Client({ connectionString: url })
    await latch.connect()
    await latch.query(`select pg_advisory_lock(${LATCH})`)
  })
  after(() => latch.end())

  /** Executes as many at once as there are connections, each with one of its own. */
  async function expectWhole(replica: Replica): Promise<void> {
    const executions = Array.from({ length: POOL }, () => errorOf(replica, WAITS_FOR_LATCH))
    await until(async () => (await active(url)).length === POOL)
    await latch.query(`select pg_advisory_unlock(${LATCH})`)
    expect(await Promise.all(executions)).to.deep.equal(Array(POOL).fill(undefined))
    await latch.query(`select pg_advisory_lock(${LATCH})`)
    expect(replica.pool().inUse).to.equal(0)
  }

  it('is timed out if its backend is stopped', async () => {
    const replica = replicaAt(url, { poolSize: POOL })
    await expectWhole(replica)
    const hung = errorOf(replica, WAITS_FOR_LATCH, { timeoutMs: 300 })
    const { pid } = await until(async () => (await active(url))[0])
    process.kill(pid, 'SIGSTOP')
    try {
      expect(await hung).to.include({ code: 'report_timeout' })
      expect(replica.pool().inUse).to.equal(0)
      expect(await errorOf(replica, 'select 1')).to.equal(undefined)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await until(async () => (await active(url)).length === 0)
    await expectWhole(replica)
  })
})
