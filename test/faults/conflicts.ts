// What the replay of the primary's changes does to reports that are in its way.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import { sumOf } from './exposition.ts'
import { CHURN, conflictElsewhere, conflictStorm } from './conflict-storm.ts'
import { holdLatch } from './latch.ts'
import {
  askMany,
  cold,
  count,
  isMarkedStale,
  isOk,
  loadFor,
  msOf,
  percent,
  quantile,
  warm,
} from './load.ts'
import type { Figure, Scenario } from './scenario.ts'
import type { Node } from './servers.ts'
import type { World } from './world.ts'

const DETAILS = {
  snapshot: 'User query might have needed to see row versions that must be removed.',
  lock: 'User was holding a relation lock for too long.',
  'buffer pin': 'User was holding shared buffer pin for too long.',
  deadlock: 'User transaction caused buffer deadlock with recovery.',
} as const

type Kind = keyof typeof DETAILS

/** As the server's log has them: its statistics may come seconds later. */
function conflictsOf(node: Node, kind: Kind): number {
  return readFileSync(node.server.logFile, 'utf8').split(DETAILS[kind]).length - 1
}

/**
 * A run that is held while the primary does what its replay cannot do beside it. The run is cancelled; whatever runs
 * once the replay is through may end.
 */
async function provoke(
  world: World,
  kind: Kind,
  report: string,
  change: readonly string[],
): Promise<Figure[]> {
  const { servers } = world
  const { one } = servers
  const gateway = await world.gateway()
  const before = conflictsOf(one, kind)
  const latch = await holdLatch(world, one)
  const asked = gateway.ask({ report, cold: cold() })
  await latch.held(1)
  for (const sql of change) await servers.change(sql)
  await servers.caughtUp()
  await latch.release()
  const answer = await asked
  const runs = sumOf(await gateway.metrics(), 'svodka_runs_total', { definition: report })
  const seen = conflictsOf(one, kind) - before
  return [
    { name: `conflicts of the kind ${kind}, by the server`, value: seen, atLeast: 1 },
    { name: 'answer', value: answer.status, exactly: 200 },
    { name: 'runs', value: runs, atMost: 2 },
  ]
}

const snapshot: Scenario = {
  fault: 'F01',
  name: 'snapshot-conflict',
  hypothesis:
    'A report that a vacuum on the primary has cancelled is run once more, as most of its time is left',
  run: world => provoke(world, 'snapshot', 'latched', CHURN),
}

const lock: Scenario = {
  fault: 'F03',
  name: 'lock-conflict',
  hypothesis: 'So is one that was in the way of a change to its table',
  run(world) {
    world.undo(() => world.servers.change('alter table ledger drop column if exists added'))
    return provoke(world, 'lock', 'latched', ['alter table ledger add column added integer'])
  },
}

/**
 * A run that has a page to itself while replay wants it. Some rows of the page are dead before the run begins: they
 * may go in spite of hot_standby_feedback, which keeps conflicts of snapshots away.
 */
async function pinned(world: World, kind: Kind, report: string): Promise<Figure[]> {
  const { one } = world.servers
  await one.ask('alter system set hot_standby_feedback = on')
  await one.ask('select pg_reload_conf()')
  world.undo(async () => {
    await one.ask('alter system reset hot_standby_feedback')
    await one.ask('select pg_reload_conf()')
  })
  // why: else what is dead may lie on other pages than what is read
  await world.servers.change('vacuum full ledger')
  await world.servers.change("update ledger set note = repeat('z', 50) where id % 2 = 0")
  await world.servers.caughtUp()
  return provoke(world, kind, report, ['vacuum (freeze) ledger'])
}

const bufferPin: Scenario = {
  fault: 'F05',
  name: 'buffer-pin-conflict',
  hypothesis:
    'So is one whose page the replay wants to itself, which hot_standby_feedback does not prevent',
  run: world => pinned(world, 'buffer pin', 'polled'),
}

const deadlock: Scenario = {
  fault: 'F06',
  name: 'recovery-deadlock',
  hypothesis:
    'So is one that waits for a lock on such a page, which the server takes for a deadlock',
  run: world => pinned(world, 'deadlock', 'latched'),
}

const idleConnections: Scenario = {
  fault: 'F02',
  name: 'idle-connections',
  hypothesis: 'Conflicts and ended sessions between requests poison no connection of a pool',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    const hits = () => askMany(gateway, 100, 8, () => ({ report: 'others', cold: cold() }))
    await hits()
    for (const sql of CHURN) await world.servers.change(sql)
    await world.servers.caughtUp()
    const afterConflict = await hits()
    await one.ask(
      "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'svodka reports'",
    )
    await sleep(100)
    const afterEnd = await hits()
    return [
      { name: 'of 100 after a vacuum', value: count(afterConflict, isOk), exactly: 100 },
      { name: 'of 100 after all sessions were ended', value: count(afterEnd, isOk), exactly: 100 },
    ]
  },
}

const lockHeld: Scenario = {
  fault: 'F04',
  name: 'table-locked',
  hypothesis:
    'A table that the primary has locked delays its own reports by a second at most, and no others',
  async run(world) {
    const { one, primary } = world.servers
    const gateway = await world.gateway()
    await warm(gateway, 'ledger')
    const alone = await loadFor(gateway, 1, 100, () => ({ report: 'others', cold: cold() }))
    const client = new Client({ connectionString: world.servers.url('postgres', primary.port) })
    await client.connect()
    world.undo(() => client.end())
    await client.query('begin; lock table ledger in access exclusive mode; select txid_current()')
    // why: what another transaction commits takes the lock's record along
    await world.servers.change('update beats set at = clock_timestamp()')
    await eventually(async () => {
      const sql =
        "select count(*) from pg_locks where mode = 'AccessExclusiveLock' and granted and relation = 'ledger'::regclass"
      return (await one.ask(sql)) !== '0'
    }, 5000)
    const beside = loadFor(gateway, 3, 100, () => ({ report: 'others', cold: cold() }))
    const kept = await gateway.ask({ report: 'ledger' })
    const fresh = await gateway.ask({ report: 'ledger', cold: cold() })
    const others = await beside
    const p99 = (answers: typeof others): number => quantile(msOf(answers), 0.99)
    return [
      { name: 'a kept report is served, marked', value: Number(isMarkedStale(kept)), exactly: 1 },
      { name: 'a new one is refused', value: fresh.status, exactly: 503 },
      { name: 'slower of the two', value: Math.max(kept.ms, fresh.ms), unit: 'ms', atMost: 1500 },
      { name: 'other reports answered', value: percent(others, isOk), unit: '%', exactly: 100 },
      { name: 'their p99', value: p99(others), unit: 'ms', atMost: Math.max(50, p99(alone) * 1.1) },
    ]
  },
}

export const conflicts: readonly Scenario[] = [
  snapshot,
  conflictElsewhere,
  conflictStorm,
  lock,
  bufferPin,
  deadlock,
  idleConnections,
  lockHeld,
]
