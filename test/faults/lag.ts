// How far a replica is behind: what the gateway says against what is true, in every state of replication.
import { setTimeout as sleep } from 'node:timers/promises'
import { signalTo } from '../../src/demo/processes.ts'
import { saidLag, sampleLag, startBeats, watchLag, worst } from './beats.ts'
import type { LagSample } from './beats.ts'
import { ofReplica } from '../harness/exposition.ts'
import { startEntries } from '../harness/entries.ts'
import { cold, entriesAnew, isOk, loadFor, percent, startLoad } from '../harness/load.ts'
import type { Figure, Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'

function honest(samples: readonly LagSample[]): Figure[] {
  const { under, over } = worst(samples)
  return [
    { name: 'said to be newer by', value: under, unit: 's', atMost: 2 },
    { name: 'said to be older by', value: over, unit: 's', atMost: 2 },
  ]
}

/** Freezes processes until the scenario's faults are undone. */
function freeze(world: World, pids: readonly number[]): void {
  if (pids.length === 0) throw new Error('there is no such process to freeze')
  for (const pid of pids) {
    signalTo(pid, 'SIGSTOP')
    world.undo(() => signalTo(pid, 'SIGCONT'))
  }
}

/** Seconds of a fault, with true and said lag sampled all the while; the primary writes. */
function lagScenario(
  fault: string,
  name: string,
  hypothesis: string,
  hurt: (world: World) => Promise<unknown>,
): Scenario {
  return {
    fault,
    name,
    hypothesis,
    async run(world) {
      const { one } = world.servers
      const gateway = await world.gateway()
      await startBeats(world)
      await startEntries(world)
      const load = startLoad(gateway, 20, entriesAnew)
      await sleep(1200)
      await hurt(world)
      const samples = await watchLag(5, () => sampleLag(gateway, one))
      const answers = await load.stop()
      return [
        ...honest(samples),
        { name: 'reports answered', value: percent(answers, isOk), unit: '%', exactly: 100 },
      ]
    },
  }
}

const busy = lagScenario(
  'F13',
  'lag-while-busy',
  'With a primary that writes and a replica that follows, lag is said truly',
  async () => undefined,
)

const paused = lagScenario(
  'F13',
  'lag-while-paused',
  'Replay is paused: lag is said truly as it grows',
  world => world.servers.one.ask('select pg_wal_replay_pause()'),
)

const halfDead = lagScenario(
  'F14',
  'half-dead-link',
  'The primary sends nothing any more, though the link stands and all that came is replayed: lag is not understated',
  async world => freeze(world, world.servers.primary.processes('walsender')),
)

const stuck = lagScenario(
  'F17',
  'stuck-replay',
  'The process that replays hangs: lag is said truly',
  async world => freeze(world, world.servers.one.processes('startup')),
)

const primaryDead: Scenario = {
  fault: 'F15',
  name: 'primary-dead',
  hypothesis:
    'The primary is dead: all reads are served, and their data are said to be as old as they are',
  async run(world) {
    const { one, primary } = world.servers
    const gateway = await world.gateway({ keys: one.port })
    await startBeats(world)
    await startEntries(world)
    await sleep(1200)
    await primary.server.stop('immediate')
    const diedAt = performance.now()
    const reads = loadFor(gateway, 4, 50, entriesAnew)
    const samples = await watchLag(4, async () => ({
      trueSeconds: (performance.now() - diedAt) / 1000,
      saidSeconds: await saidLag(gateway, one),
    }))
    const answers = await reads
    return [
      ...honest(samples),
      { name: 'reads served', value: percent(answers, isOk), unit: '%', exactly: 100 },
      { name: 'ready', value: await gateway.readyStatus(), exactly: 200 },
    ]
  },
}

const idle: Scenario = {
  fault: 'F16',
  name: 'primary-idle',
  hypothesis: 'The primary has nothing to write: no false alarm, and nobody loses its replica',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    const answers = loadFor(gateway, 8, 10, () => ({ report: 'ledger', cold: cold() }))
    const samples = await watchLag(8, async () => ({
      trueSeconds: 0,
      saidSeconds: await saidLag(gateway, one),
    }))
    return [
      ...honest(samples),
      { name: 'reports answered', value: percent(await answers, isOk), unit: '%', exactly: 100 },
    ]
  },
}

const promoted: Scenario = {
  fault: 'F13',
  name: 'lag-when-promoted',
  hypothesis: 'A promoted server is said to be one within a probe, and no lag is made up for it',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    await one.ask('select pg_promote(true)')
    await sleep(1200)
    const samples = await gateway.metrics()
    const of = (name: string): number => ofReplica(samples, name, `127.0.0.1:${one.port}`)
    return [
      { name: 'in recovery', value: of('svodka_replica_in_recovery'), exactly: 0 },
      { name: 'usable', value: of('svodka_replica_usable'), exactly: 0 },
    ]
  },
}

export const lag: readonly Scenario[] = [halfDead, busy, paused, primaryDead, idle, stuck, promoted]
