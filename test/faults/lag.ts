// Lag of a replica as reported by the gateway, against the true lag, in every state of replication.
import { setTimeout as sleep } from 'node:timers/promises'
import { startEntries } from '../harness/entries.ts'
import { all, exactly } from '../harness/figures.ts'
import { entries, fresh, isOk } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'
import { honest, saidLag, sampleLag, startBeats, watchLag } from './beats.ts'

/** Five seconds of a fault, with true and reported lag sampled continuously; the primary writes. */
function whileWriting(name: string, hypothesis: string, hurt: (stage: Stage) => unknown): Scenario {
  return {
    name,
    hypothesis,
    async run(stage) {
      const { one } = stage.servers
      const gateway = await stage.gateway()
      await startBeats(stage)
      await startEntries(stage)
      const reads = gateway.startLoad(20, entries)
      await sleep(1200)
      await hurt(stage)
      const samples = await watchLag(5, () => sampleLag(gateway, one))
      return [...honest(samples), all('reports answered', await reads.stop(), isOk)]
    },
  }
}

export const lag: readonly Scenario[] = [
  whileWriting(
    'F14 half-dead-link',
    'The primary stops sending while the connection stays and all received WAL is replayed: lag is not understated',
    stage => stage.freeze(stage.servers.primary.processes('walsender')),
  ),
  whileWriting(
    'F13 lag-while-busy',
    'With a writing primary and a following replica, the reported lag is accurate',
    () => undefined,
  ),
  whileWriting('F13 lag-while-paused', 'Replay is paused: the growing lag is accurate', stage =>
    stage.servers.one.ask('select pg_wal_replay_pause()'),
  ),
  {
    name: 'F15 primary-dead',
    hypothesis: 'The primary is dead: all reads are served, with the true age of their data',
    async run(stage) {
      const { one, primary } = stage.servers
      const gateway = await stage.gateway({}, { keys: one.port })
      await startBeats(stage)
      await startEntries(stage)
      await sleep(1200)
      await primary.server.stop('immediate')
      const diedAt = performance.now()
      const reads = gateway.loadFor(4, 50, entries)
      const samples = await watchLag(4, async () => ({
        trueSeconds: (performance.now() - diedAt) / 1000,
        saidSeconds: await saidLag(gateway, one),
      }))
      return [
        ...honest(samples),
        all('reads served', await reads, isOk),
        exactly('ready', await gateway.readyStatus(), 200),
      ]
    },
  },
  {
    name: 'F16 primary-idle',
    hypothesis: 'The primary has nothing to write: no false alarm, and all replicas stay usable',
    async run(stage) {
      const gateway = await stage.gateway()
      const reads = gateway.loadFor(8, 10, fresh('ledger'))
      const samples = await watchLag(8, async () => ({
        trueSeconds: 0,
        saidSeconds: await saidLag(gateway, stage.servers.one),
      }))
      return [...honest(samples), all('reports answered', await reads, isOk)]
    },
  },
  whileWriting('F17 stuck-replay', 'The startup process hangs: the lag is accurate', stage =>
    stage.freeze(stage.servers.one.processes('startup')),
  ),
]
