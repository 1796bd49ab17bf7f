// How a statement ends by way of a real pooler, whose process ids and keys are its own.
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { requestCancel } from '../../src/replica/cancel.ts'
import { destroyConnection } from '../../src/replica/pool.ts'
import { sharedCluster } from '../support/cluster.ts'
import { needsPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { run as runSql } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { connected, keepingSink, runFor } from './rows.ts'

for (const mode of ['transaction', 'session'] as const) {
  describe(`a statement behind PgBouncer in ${mode} mode`, function () {
    this.timeout(30_000)
    let cluster: Cluster
    let pgBouncer: PgBouncer | undefined
    let url: string

    before(async function () {
      needsPgBouncer(this)
      cluster = await sharedCluster()
      const serverUrl = cluster.urlFor('svodka_reports', 'replica')
      pgBouncer = await startPgBouncer({ mode, serverUrls: [serverUrl], poolSize: 1 })
      url = pgBouncer.urlFor(serverUrl)
    })
    after(() => pgBouncer?.stop())

    const SLEEPING = 'select pg_sleep(60)'

    /** Resolves once the server runs so many. */
    function untilAsleep(count: 0 | 1): Promise<boolean> {
      const asked = `select from pg_stat_activity where state = 'active' and query = '${SLEEPING}'`
      return until(async () => (await runSql(cluster.replicaUrl, asked)).length === count)
    }

    it('is cancelled', async () => {
      const client = await connected(url, 'tap')
      const slept = client.query(SLEEPING).catch((error: unknown) => error)
      await untilAsleep(1)
      const endCancel = requestCancel(client)
      expect(await slept).to.include({ code: '57014' })
      await endCancel()
      const { rows } = await client.query('select 1 as one')
      expect(rows, 'the next statement').to.deep.equal([{ one: 1 }])
      await client.end()
    })

    it('ends when its time is over', async () => {
      const client = await connected(url, 'tap')
      const ended = runFor(client, SLEEPING, keepingSink(), { timeoutMs: 300 })
      const error: unknown = await ended.catch((error: unknown) => error)
      expect(error).to.include({ code: 'report_timeout' })
      await untilAsleep(0)
      await client.end()
    })

    it('ends when nobody wants it any more', async () => {
      const client = await connected(url, 'tap')
      const leave = new AbortController()
      const ended = runFor(client, SLEEPING, keepingSink(), { signal: leave.signal })
      const left = ended.catch((error: unknown) => error)
      await untilAsleep(1)
      leave.abort(new Error('left'))
      expect(await left).to.equal(leave.signal.reason)
      await untilAsleep(0)
      await client.end()
    })

    it('ends when its connection is destroyed', async () => {
      const client = await connected(url, 'tap')
      const slept = client.query(SLEEPING).catch((error: unknown) => error)
      await untilAsleep(1)
      destroyConnection(client)
      expect(await slept).to.be.an('error')
      await untilAsleep(0)
    })

    it('is cancelled when a server that hangs goes on, and the pooler lives', async () => {
      const client = await connected(url, 'tap')
      const slept = client.query(SLEEPING).catch((error: unknown) => error)
      await untilAsleep(1)
      cluster.replica.pause()
      const endCancel = requestCancel(client)
      try {
        // why: PgBouncer 1.18 crashes where who asked to cancel does not wait
        await new Promise(resolve => setTimeout(resolve, 1500))
      } finally {
        cluster.replica.resume()
      }
      expect(await slept).to.include({ code: '57014' })
      await endCancel()
      await client.end()
      await (await connected(url, 'tap')).end()
    })

    if (mode === 'session') return

    it('that begins after its cancel came to nothing is cancelled again', async () => {
      const holder = await connected(url, 'tap')
      const waiting = await connected(url, 'tap')
      await holder.query('begin')
      const slept = waiting.query(SLEEPING).catch((error: unknown) => error)
      const endCancel = requestCancel(waiting)
      await holder.query('select pg_sleep(0.2)')
      await holder.query('commit')
      expect(await slept).to.include({ code: '57014' })
      await endCancel()
      await Promise.all([holder.end(), waiting.end()])
    })

    it('that waits for a place at the pooler ends at its time', async () => {
      const holder = await connected(url, 'tap')
      const waiting = await connected(url, 'tap')
      await holder.query('begin')
      const ended = runFor(waiting, 'select 1', keepingSink(), { timeoutMs: 100 })
      const error: unknown = await ended.catch((error: unknown) => error)
      expect(error).to.include({ code: 'report_timeout' })
      await Promise.all([holder.end(), waiting.end()])
    })
  })
}
