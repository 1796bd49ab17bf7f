// Conflicts that hot_standby_feedback does not prevent: over a page, a lock and a page, a tablespace.
// As PostgreSQL's own src/test/recovery/t/031_recovery_conflict.pl makes them.
import { withClient } from '../../src/demo/connection.ts'
import { eventually } from '../../src/demo/processes.ts'
import { lockTable, provoke, provokeHeld } from './provoke.ts'
import type { Figure, Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'

const SLOT = "select xmin::text from pg_replication_slots where slot_name = 'standby'"

/**
 * The primary is told which snapshots the standby uses, and the table has rows that were dead before any of them. Only
 * what is dead to all is removed then: no conflict over snapshots, but whoever removes wants the page to itself.
 */
async function withDeadRows(world: World): Promise<void> {
  const { one, primary } = world.servers
  // why: else what is dead may lie on other pages than what is read, as rows of an earlier update do
  await world.servers.change('cluster ledger using ledger_pkey')
  await world.servers.change("update ledger set note = repeat('z', 50) where id % 2 = 0")
  await world.servers.caughtUp()
  const next = Number(await primary.ask('select pg_snapshot_xmax(pg_current_snapshot())::text'))
  for (const setting of ['hot_standby_feedback = on', "wal_receiver_status_interval = '1s'"]) {
    await one.ask(`alter system set ${setting}`)
  }
  await one.ask('select pg_reload_conf()')
  world.undo(async () => {
    await one.ask('alter system reset hot_standby_feedback')
    await one.ask('alter system reset wal_receiver_status_interval')
    await one.ask('select pg_reload_conf()')
  })
  // why: what the primary was told before these rows died keeps them from being removed
  const isTold = async (): Promise<boolean> => Number((await primary.ask(SLOT)) ?? 0) >= next
  if (!(await eventually(isTold, 10_000))) throw new Error('the standby has not told its snapshots')
}

const REMOVE = ['vacuum (freeze) ledger']

export const bufferPin: Scenario = {
  fault: 'F05',
  name: 'buffer-pin-conflict',
  hypothesis:
    'So is one whose page the replay wants to itself, which hot_standby_feedback does not prevent',
  async run(world) {
    await withDeadRows(world)
    return provokeHeld(world, 'buffer pin', 'polled', REMOVE)
  },
}

/** The run has a page that replay waits for, and waits for a lock that replay holds. */
async function deadlocked(world: World): Promise<Figure[]> {
  const { one } = world.servers
  await withDeadRows(world)
  return provoke(world, 'deadlock', 'blocked', REMOVE, async () => {
    const release = await lockTable(world, 'locked')
    const waits =
      "select count(*) from pg_stat_activity where application_name = 'svodka reports' and wait_event_type = 'Lock'"
    return { held: () => eventually(async () => (await one.ask(waits)) === '1', 5000, 5), release }
  })
}

export const deadlock: Scenario = {
  fault: 'F06',
  name: 'recovery-deadlock',
  hypothesis: 'So is one that waits for a lock of the replay on a page that the replay waits for',
  run: deadlocked,
}

export const tablespace: Scenario = {
  fault: 'F06',
  name: 'tablespace-conflict',
  hypothesis: 'So is one whose temporary files are in a tablespace that is dropped',
  async run(world) {
    const { servers } = world
    const primaryUrl = servers.url('postgres', servers.primary.port)
    await withClient(primaryUrl, async client => {
      await client.query('set allow_in_place_tablespaces = on')
      await client.query("create tablespace scratch location ''")
      await client.query('grant create on tablespace scratch to svodka_reports')
      await client.query('alter role svodka_reports set temp_tablespaces = scratch')
    })
    world.undo(async () => {
      await servers.change('alter role svodka_reports reset temp_tablespaces')
      await servers.change('drop tablespace if exists scratch')
    })
    await servers.caughtUp()
    return provokeHeld(world, 'tablespace', 'scratching', ['drop tablespace scratch'])
  },
}
