// A session is reused after its execution was cancelled, and no cancel request affects the next statement.
import { expect } from 'chai'
import type { Replica } from '../../src/serve/replica/replica.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { until } from '../harness/until.ts'
import { overTls, standbyWithTls } from '../harness/tls.ts'
import { active } from './active.ts'
import { errorOf, replicasOfTests, rowsOf, started, type Execution } from './execute.ts'
import { startWire, type Wire } from './wire.ts'

const BACKEND = 'select pg_backend_pid()'
/** Long enough for a late cancel request to affect it. */
const NEXT =
  'select pg_backend_pid() from (select count(*) from generate_series(1, 10000)) as counted'
const STATEMENTS = [
  // In the select list instead of after `from`, where PostgreSQL would materialize all rows first.
  "select generate_series(1, 2000), repeat('x', 100)",
  'select count(*)::text from generate_series(1, 20000)',
  'select pg_sleep(60)',
]

/** @param options number of aborted executions, a quarter of them over TLS, and how long cancel requests are dropped */
export function describeCancelledSessions(options: {
  readonly pairs: number
  readonly swallowedMs: number
}): void {
  describe('a session whose execution was cancelled', function () {
    this.timeout(600_000)
    const replicaAt = replicasOfTests()
    let replicaUrl: string

    before(async () => {
      replicaUrl = (await sharedCluster()).replicaUrl
    })

    /** Aborts at a random instant between `begin` and the last row, and executes the next at once. */
    async function expectReused(replica: Replica, pairCount: number): Promise<void> {
      const backends = new Set<unknown>()
      const [[before] = []] = await rowsOf(replica, BACKEND)
      for (let pair = 0; pair < pairCount; pair++) {
        const { abort, ended } = started(replica, STATEMENTS[pair % STATEMENTS.length]!)
        for (let turn = 0; turn < pair % 41; turn++) await new Promise(setImmediate)
        abort()
        const next = rowsOf(replica, NEXT)
        await ended
        backends.add((await next)[0]?.[0])
      }
      expect([...backends]).to.deep.equal([before])
    }

    it('is reused, and the next statement is not killed', async () => {
      await expectReused(replicaAt(replicaUrl), options.pairs)
    })

    describe('over TLS', () => {
      const standby = standbyWithTls()

      it('is reused, and the next statement is not killed', async () => {
        await expectReused(replicaAt(overTls(standby.cluster.replicaUrl)), options.pairs / 4)
      })
    })

    describe('while no cancel request gets through', () => {
      let wire: Wire
      const sessions = new Set<number>()
      const cancels = new Set<number>()

      before(async () => {
        wire = await startWire(replicaUrl, {
          toServer(bytes, connection) {
            const isFirst = !sessions.has(connection) && !cancels.has(connection)
            // why: the cancel request is dropped, and its connection stays open
            if (isFirst) (bytes.readInt32BE(4) === 80_877_102 ? cancels : sessions).add(connection)
            return cancels.has(connection) ? undefined : bytes
          },
        })
      })
      after(() => wire.close())

      it('is replaced at a rate of at most two a second', async () => {
        const POOL = 6
        const replica = replicaAt(wire.url, { poolSize: POOL })
        const startedAt = performance.now()
        const all = Array.from({ length: POOL }, () => started(replica, 'select pg_sleep(60)'))
        await until(async () => (await active(replicaUrl)).length === POOL)
        for (const { abort } of all) abort()
        const again = async (first: Execution): Promise<void> => {
          await first.ended
          if (performance.now() - startedAt > options.swallowedMs) return
          const next = started(replica, 'select pg_sleep(60)')
          setTimeout(() => next.abort(), 100)
          await again(next)
        }
        await Promise.all(all.map(again))
        expectFew(sessions.size - POOL, startedAt)
        const before = sessions.size
        const later = Array.from({ length: POOL }, () => errorOf(replica, 'select pg_sleep(0.4)'))
        expect(await Promise.all(later)).to.deep.equal(Array(POOL).fill(undefined))
        expect(sessions.size - before, 'sessions are replaced').to.be.greaterThan(0)
        // why: a session that ended above may be replaced only now
        expectFew(sessions.size - POOL, startedAt)
      })
    })
  })
}

function expectFew(replacedCount: number, from: number): void {
  expect(replacedCount).to.be.at.most(1 + (performance.now() - from) / 500)
}
