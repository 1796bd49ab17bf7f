// Ends of statements through a real pooler, which has different process ids and cancel keys.
import { expect } from 'chai'
import type { Client } from 'pg'
import type { Cluster } from '../../src/demo/cluster.ts'
import { requestCancel } from '../../src/serve/replica/cancel.ts'
import { destroyConnection } from '../../src/serve/replica/connection.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { reasonOf } from './execute.ts'
import { pooledUrls } from './pooler.ts'
import { connected, readAll } from './rows.ts'

const SLEEPING = 'select pg_sleep(60)'

for (const mode of ['transaction', 'session'] as const) {
  describe(`a statement behind PgBouncer in ${mode} mode`, function () {
    this.timeout(60_000)
    const urlOf = pooledUrls(mode, ['reports'])
    let cluster: Cluster
    const clients: Client[] = []

    before(async () => {
      cluster = await sharedCluster()
    })
    afterEach(() => Promise.all(clients.splice(0).map(client => client.end())))

    async function connect(): Promise<Client> {
      const client = await connected(urlOf('reports'))
      clients.push(client)
      return client
    }

    /** Resolves once the server executes that number of statements. */
    async function untilAsleep(count: 0 | 1): Promise<void> {
      const asleep = `select from pg_stat_activity where state = 'active' and query = '${SLEEPING}'`
      await until(async () => (await run(cluster.replicaUrl, asleep)).length === count)
    }

    async function sleepOn(client: Client): Promise<{ readonly ended: Promise<unknown> }> {
      const ended = reasonOf(client.query(SLEEPING))
      await untilAsleep(1)
      return { ended }
    }

    it('is cancelled, and the next statement is not', async () => {
      const client = await connect()
      const { ended } = await sleepOn(client)
      const endCancel = requestCancel(client)
      expect(await ended).to.include({ code: '57014' })
      await endCancel()
      expect((await client.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }])
    })

    it('ends when it is aborted', async () => {
      const abort = new AbortController()
      const aborted = readAll(await connect(), SLEEPING, { signal: abort.signal })
      const reason = reasonOf(aborted)
      await untilAsleep(1)
      abort.abort(new Error('aborted'))
      expect(await reason).to.equal(abort.signal.reason)
      await untilAsleep(0)
    })

    if (mode === 'session') return

    it('ends when it times out', async () => {
      const late = readAll(await connect(), SLEEPING, { timeoutMs: 200 })
      expect(await reasonOf(late)).to.include({ code: 'report_timeout' })
      await untilAsleep(0)
    })

    it('ends when its connection is destroyed', async () => {
      const client = await connect()
      const { ended } = await sleepOn(client)
      destroyConnection(client)
      expect(await ended).to.be.an('error')
      await untilAsleep(0)
    })

    it('is cancelled when a hanging server resumes, and the pooler does not crash', async () => {
      const client = await connect()
      const { ended } = await sleepOn(client)
      cluster.replica.pause()
      const endCancel = requestCancel(client)
      try {
        // why: PgBouncer 1.18 crashes if the client of a cancel request does not wait
        await new Promise(resolve => setTimeout(resolve, 1500))
      } finally {
        cluster.replica.resume()
      }
      expect(await ended).to.include({ code: '57014' })
      await endCancel()
      await connect()
    })

    it('is cancelled again when it begins after an ignored cancel request', async () => {
      const [holder, waiting] = [await connect(), await connect()]
      await holder.query('begin')
      const ended = reasonOf(waiting.query(SLEEPING))
      const endCancel = requestCancel(waiting)
      await holder.query('select pg_sleep(0.2)')
      await holder.query('commit')
      expect(await ended).to.include({ code: '57014' })
      await endCancel()
    })
  })
}
