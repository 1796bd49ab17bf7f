// A run that is in the way of what the primary has changed, until the server cancels it: kinds as PostgreSQL tells them.
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import { sumOf } from '../harness/exposition.ts'
import { holdLatch } from '../harness/latch.ts'
import { cold } from '../harness/load.ts'
import type { Figure } from '../harness/scenario.ts'
import type { Node } from '../harness/servers.ts'
import type { World } from '../harness/world.ts'

const DETAILS = {
  snapshot: 'User query might have needed to see row versions that must be removed.',
  lock: 'User was holding a relation lock for too long.',
  'buffer pin': 'User was holding shared buffer pin for too long.',
  deadlock: 'User transaction caused buffer deadlock with recovery.',
  tablespace: 'User was or might have been using tablespace that must be dropped.',
} as const

export type Kind = keyof typeof DETAILS

/** Longer than conflicts are given: max_standby_streaming_delay, and the cancel. */
const SEEN_WITHIN_MS = 5000

/** As the server's log has them: its statistics may come seconds later. */
function conflictsOf({ server }: Node, kind: Kind): number {
  return readFileSync(server.logFile, 'utf8').split(DETAILS[kind]).length - 1
}

/** What holds a run, and lets go of it. */
export interface Hold {
  /** Resolves once the run is held. */
  held(): Promise<unknown>
  release(): Promise<unknown>
}

/**
 * The run is held while the primary does what its replay cannot do beside it, and is cancelled for it. What holds it
 * is gone before it is run once more.
 */
export async function provoke(
  world: World,
  kind: Kind,
  report: string,
  change: readonly string[],
  makeHold: () => Promise<Hold>,
): Promise<Figure[]> {
  const { servers } = world
  const { one } = servers
  const gateway = await world.gateway()
  const before = conflictsOf(one, kind)
  const hold = await makeHold()
  const asked = gateway.ask({ report, cold: cold() })
  await hold.held()
  for (const sql of change) await servers.change(sql)
  await eventually(() => conflictsOf(one, kind) > before, SEEN_WITHIN_MS, 10)
  await hold.release()
  await servers.caughtUp()
  const answer = await asked
  const runs = sumOf(await gateway.metrics(), 'svodka_runs_total', { definition: report })
  const seen = conflictsOf(one, kind) - before
  return [
    { name: `conflicts of the kind ${kind}, by the server`, value: seen, exactly: 1 },
    { name: 'answer', value: answer.status, exactly: 200 },
    { name: 'runs', value: runs, exactly: 2 },
  ]
}

/** Held by the latch, of whatever kind. */
export function provokeHeld(
  world: World,
  kind: Kind,
  report: string,
  change: readonly string[],
): Promise<Figure[]> {
  return provoke(world, kind, report, change, async () => {
    const latch = await holdLatch(world, world.servers.one)
    return { held: () => latch.held(1), release: () => latch.release() }
  })
}

/** The primary locks a table, and so does its standby. @returns what ends it; the end of the scenario does, too. */
export async function lockTable(world: World, table: string): Promise<() => Promise<void>> {
  const { one, primary } = world.servers
  const client = new Client({ connectionString: world.servers.url('postgres', primary.port) })
  await client.connect()
  world.undo(() => client.end())
  await client.query(`begin; lock table ${table} in access exclusive mode; select txid_current()`)
  // why: what another transaction commits takes the lock's record along
  await world.servers.change('update beats set at = clock_timestamp()')
  const sql = `select count(*) from pg_locks where granted and mode = 'AccessExclusiveLock' and relation = '${table}'::regclass`
  if (!(await eventually(async () => (await one.ask(sql)) !== '0', 5000))) {
    throw new Error(`the standby has not locked ${table}`)
  }
  return async () => void (await client.query('commit'))
}
