// An execution that conflicts with replay until the server cancels it, for each kind of conflict in PostgreSQL.
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import { exactly, type Figure } from '../harness/figures.ts'
import { holdLatch } from '../harness/latch.ts'
import { fresh } from '../harness/load.ts'
import type { Node } from '../harness/servers.ts'
import type { Stage } from '../harness/stage.ts'

const DETAILS = {
  snapshot: 'User query might have needed to see row versions that must be removed.',
  lock: 'User was holding a relation lock for too long.',
  'buffer pin': 'User was holding shared buffer pin for too long.',
  deadlock: 'User transaction caused buffer deadlock with recovery.',
  tablespace: 'User was or might have been using tablespace that must be dropped.',
} as const

type Kind = keyof typeof DETAILS

/** Longer than max_standby_streaming_delay plus the cancellation. */
const SEEN_WITHIN_MS = 5000

/** Counted in the server's log: its statistics may be seconds late. */
function conflictsOf({ server }: Node, kind: Kind): number {
  return readFileSync(server.logFile, 'utf8').split(DETAILS[kind]).length - 1
}

/** Blocks an execution until released. */
interface Hold {
  /** Resolves once the execution is blocked. */
  readonly held: () => Promise<unknown>
  readonly release: () => Promise<unknown>
}

/**
 * Blocks an execution while the primary makes a conflicting change, until replay cancels it. The block ends before
 * the retry.
 */
export async function provoke(
  stage: Stage,
  kind: Kind,
  report: string,
  change: readonly string[],
  makeHold: () => Promise<Hold> = () => latched(stage),
): Promise<Figure[]> {
  const { one, change: run, caughtUp } = stage.servers
  const gateway = await stage.gateway()
  const before = conflictsOf(one, kind)
  const hold = await makeHold()
  const asked = gateway.ask(fresh(report)())
  await hold.held()
  await run(...change)
  await eventually(() => conflictsOf(one, kind) > before, SEEN_WITHIN_MS, 10)
  await hold.release()
  await caughtUp()
  const { status } = await asked
  return [
    exactly(`conflicts of the kind ${kind}, by the server`, conflictsOf(one, kind) - before, 1),
    exactly('response', status, 200),
    exactly('executions', await gateway.executionsOf(report), 2),
  ]
}

async function latched(stage: Stage): Promise<Hold> {
  const latch = await holdLatch(stage, stage.servers.one)
  return { held: () => latch.held(1), release: latch.release }
}

/** Locks a table on the primary and, by replay, on the standby. @returns a function that unlocks it before the end. */
export async function lockTable(stage: Stage, table: string): Promise<() => Promise<void>> {
  const { one, primary, change, url } = stage.servers
  const client = new Client({ connectionString: url('postgres', primary.port) })
  await client.connect()
  stage.undo(() => client.end())
  await client.query(`begin; lock table ${table} in access exclusive mode; select txid_current()`)
  // why: a later commit flushes the WAL record of the lock
  await change('update beats set at = clock_timestamp()')
  const sql = `select count(*) from pg_locks
    where granted and mode = 'AccessExclusiveLock' and relation = '${table}'::regclass`
  if (!(await eventually(async () => (await one.ask(sql)) !== '0', 5000))) {
    throw new Error(`the standby has not locked ${table}`)
  }
  return async () => void (await client.query('commit'))
}
