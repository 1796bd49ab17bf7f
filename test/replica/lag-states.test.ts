import { expect } from 'chai'
import { Client } from 'pg'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { valueOf } from '../../src/demo/connection.ts'
import type { ReplicaState } from '../../src/observation.ts'
import { createProbe, type Probe } from '../../src/replica/probe.ts'
import { run } from '../support/shops.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

/** What a bound may be above the truth: half of the demo's wal_sender_timeout, and a look. */
const MOST_OVER = 2

describe('lag on a real standby', function () {
  this.timeout(60_000)
  let cluster: Cluster
  let probe: Probe
  const seen: ReplicaState[] = []
  let stopWriting: (() => Promise<void>) | undefined

  before(async function () {
    cluster = await startCluster({ directory: temporaryFolder(), database: 'lagging' })
    await run(cluster.primaryUrl, 'create table written (at timestamptz)')
    await cluster.replicaCaughtUp()
    probe = createProbe({
      connectionString: cluster.replicaUrl,
      connectTimeoutMs: 2000,
      allowPrimary: false,
      observe: fact => fact.kind === 'replica-probed' && seen.push(fact.state),
    })
    probe.start(() => undefined)
  })
  after(async () => {
    await stopWriting?.()
    await probe?.stop()
    await cluster?.stop('immediate')
  })

  /** Commits on the primary about every 20 ms. */
  async function write(): Promise<void> {
    const client = new Client({ connectionString: cluster.primaryUrl })
    client.on('error', () => undefined)
    await client.connect()
    const writing = { goesOn: true }
    const ended = (async () => {
      while (writing.goesOn) {
        await client.query('insert into written values (now())').catch(() => {
          writing.goesOn = false
        })
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    })()
    stopWriting = async () => {
      writing.goesOn = false
      await ended
      await client.end().catch(() => undefined)
      stopWriting = undefined
    }
  }

  /** @param trueLag in seconds, when a look has ended */
  async function looks(count: number, trueLag: () => number): Promise<void> {
    for (let look = 0; look < count; look += 1) {
      const already = seen.length
      const state = await until(() => (seen.length > already ? seen.at(-1) : undefined))
      const least = trueLag()
      // why: a look ends some milliseconds after the instant that it tells of
      expect(state.lagSeconds, `look ${look}`).to.be.within(least - 0.1, least + MOST_OVER)
    }
  }
  const since = (start: number) => () => (performance.now() - start) / 1000

  it('is about none on a busy primary', async () => {
    await write()
    await looks(3, () => 0)
  })

  it('is about none while a long transaction writes, which commits nothing', async () => {
    await stopWriting?.()
    const long = run(
      cluster.primaryUrl,
      `do $$ begin for turn in 1..40 loop
         insert into written select now() from generate_series(1, 2000); perform pg_sleep(0.1);
       end loop; end $$`,
    )
    await looks(4, () => 0)
    await long
  })

  it('is about none on an idle primary: no alarm', async () => {
    await looks(7, () => 0)
  })

  it('grows from the instant at which replay was paused', async () => {
    await write()
    const paused = performance.now()
    await run(cluster.replicaUrl, 'select pg_wal_replay_pause()')
    await until(async () => {
      const state = 'select pg_get_wal_replay_pause_state()'
      return (await valueOf(cluster.replicaUrl, state)) === 'paused'
    })
    await looks(4, () => Math.max(0, since(paused)() - 0.2))
    expect(seen.at(-1)?.replayPaused).to.equal(true)
    await run(cluster.replicaUrl, 'select pg_wal_replay_resume()')
    await cluster.replicaCaughtUp()
    await looks(2, () => 0)
  })

  it('grows from the instant at which the walsender stopped, though the receiver says streaming', async () => {
    const pid = Number(await valueOf(cluster.primaryUrl, 'select pid from pg_stat_replication'))
    const stopped = performance.now()
    process.kill(pid, 'SIGSTOP')
    try {
      await looks(4, since(stopped))
      const status = await valueOf(cluster.replicaUrl, 'select status from pg_stat_wal_receiver')
      expect(status).to.equal('streaming')
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await cluster.replicaCaughtUp()
    await looks(2, () => 0)
  })

  it('grows from the death of the primary, and from a quiet one too', async () => {
    await stopWriting?.()
    await looks(3, () => 0)
    await cluster.primary.stop('immediate')
    await looks(3, since(performance.now()))
    await cluster.primary.start()
    await until(() => (seen.at(-1)?.lagSeconds ?? 9) < MOST_OVER)
    await looks(2, () => 0)
  })

  it('is unknown once the standby was promoted: nobody says that this is the primary now', async () => {
    await run(cluster.replicaUrl, 'select pg_promote()')
    const state = await until(() => seen.at(-1)?.inRecovery === false && seen.at(-1))
    expect(state).to.include({ usable: false, lagSeconds: undefined, dataAsOf: undefined })
  })
})
