// Conflicts of reports with the replay of the primary's changes.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { eventually } from '../../src/demo/processes.ts'
import { all, atLeast, atMost, exactly, holds, none, said } from '../harness/figures.ts'
import { holdLatch } from '../harness/latch.ts'
import { count, fresh, isMarkedStale, isOk, p99, slowest } from '../harness/load.ts'
import type { Recorded } from '../harness/client.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'
import { quantile } from '../harness/quantile.ts'
import { sampleLag, startBeats } from './beats.ts'
import { lockTable, provoke } from './provoke.ts'

/** A change whose replay conflicts with every earlier execution. */
const CHURN = ["update ledger set note = repeat('y', 50)", 'vacuum (freeze) ledger']
const REMOVE = ['vacuum (freeze) ledger']
const SLOT = "select xmin::text from pg_replication_slots where slot_name = 'standby'"

/**
 * With hot_standby_feedback the primary removes only rows that no snapshot of the standby can see. There is no snapshot
 * conflict, but the removal needs a cleanup lock on the page.
 */
async function withDeadRows({ servers, undo }: Stage): Promise<void> {
  const { one, primary } = servers
  // why: otherwise dead rows may be on other pages than the rows that are read
  await servers.changeAll(
    'cluster ledger using ledger_pkey',
    "update ledger set note = repeat('z', 50) where id % 2 = 0",
  )
  const next = Number(await primary.ask('select pg_snapshot_xmax(pg_current_snapshot())::text'))
  const configure = async (first: string, second: string): Promise<void> => {
    await one.ask(`alter system ${first}`)
    await one.ask(`alter system ${second}`)
    await one.ask('select pg_reload_conf()')
  }
  await configure('set hot_standby_feedback = on', "set wal_receiver_status_interval = '1s'")
  undo(() => configure('reset hot_standby_feedback', 'reset wal_receiver_status_interval'))
  // why: earlier feedback of the standby would prevent the removal of these rows
  const isTold = async (): Promise<boolean> => Number((await primary.ask(SLOT)) ?? 0) >= next
  if (!(await eventually(isTold, 10_000))) throw new Error('the standby has not sent its snapshots')
}

interface Round {
  /** Lag in seconds, sampled continuously. */
  readonly lags: readonly number[]
  readonly conflicts: number
  readonly runs: number
  readonly responses: readonly Recorded[]
}

/** The query of the report `paced`: a sleep per row, two seconds in all. */
const PACED = 'select id, pg_sleep(0.04) from ledger where organization_id = 1 order by id'
const CONFLICTS = 'select conflicts from pg_stat_database where datname = current_database()'

/** Six seconds of vacuums with two executions a second, by the gateway or by plain clients without retries. */
async function churn(stage: Stage, isByGateway: boolean): Promise<Round> {
  const { one, change, caughtUp, url } = stage.servers
  const gateway = await stage.gateway()
  const stopBeats = await startBeats(stage)
  const before = Number(await one.ask(CONFLICTS))
  const until = performance.now() + 6000
  const lags: number[] = []
  const asked: Promise<Recorded | undefined>[] = []
  const every = async (ms: number, work: () => Promise<unknown> | void): Promise<void> => {
    for (; performance.now() <= until; await sleep(ms)) await work()
  }
  await Promise.all([
    every(50, async () => void lags.push((await sampleLag(gateway, one)).trueSeconds)),
    every(400, () => change(...CHURN)),
    every(500, () => {
      const plain = (): Promise<undefined> => plainRun(url('svodka_reports', one.port))
      asked.push(isByGateway ? gateway.ask(fresh('paced')()) : plain())
    }),
  ])
  const responses = (await Promise.all(asked)).filter(response => response !== undefined)
  await stopBeats()
  await caughtUp()
  const conflicts = Number(await one.ask(CONFLICTS)) - before
  return { lags, conflicts, runs: await gateway.executionsOf('paced'), responses }
}

async function plainRun(url: string): Promise<undefined> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(PACED).catch(() => undefined)
  await client.end().catch(() => undefined)
}

export const conflicts: readonly Scenario[] = [
  {
    name: 'F01 snapshot-conflict',
    hypothesis:
      'A report cancelled by a vacuum on the primary is retried, since most of its timeout is left',
    run: stage => provoke(stage, 'snapshot', 'latched', CHURN),
  },
  {
    name: 'F01 conflict-with-another-replica',
    hypothesis:
      'With another replica, a cancelled report is retried there, and succeeds while the first one catches up',
    async run(stage) {
      const { one, two, change } = stage.servers
      const nodes = [one, await two()]
      const gateway = await stage.gateway({}, { replicas: nodes.map(({ port }) => port) })
      const latches = await Promise.all(nodes.map(node => holdLatch(stage, node)))
      const asked = gateway.ask(fresh('latched')())
      const running = (): Promise<number[]> => Promise.all(nodes.map(node => node.running()))
      await eventually(async () => (await running()).includes(1), 5000)
      const at = (await running()).indexOf(1)
      await latches[1 - at]?.release()
      await change(...CHURN)
      const { status, ms } = await asked
      return [
        exactly('response', status, 200),
        exactly('executions', await gateway.executionsOf('latched'), 2),
        atMost('after', ms, 3000, 'ms'),
      ]
    },
  },
  {
    name: 'F01 conflict-storm',
    hypothesis:
      'Continuous vacuums: no 500, at most one retry, and replay is delayed no longer than without retries',
    async run(stage) {
      const rounds: Round[] = []
      for (const isByGateway of [false, true, false, true]) {
        rounds.push(await churn(stage, isByGateway))
      }
      const plain = rounds.filter((_, at) => at % 2 === 0)
      const served = rounds.filter((_, at) => at % 2 === 1)
      const p95 = (some: readonly Round[]): number =>
        quantile(
          some.flatMap(({ lags }) => lags),
          0.95,
        )
      const responses = served.flatMap(round => round.responses)
      const sum = (of: (round: Round) => number): number =>
        served.reduce((total, round) => total + of(round), 0)
      const runs = sum(round => round.runs) / responses.length
      return [
        atLeast(
          'conflicts',
          sum(round => round.conflicts),
          5,
        ),
        none('responses 500', responses, ({ status }) => status === 500),
        atMost('executions per response', runs, 2, 'x'),
        said('p95 of replay lag, no retries', p95(plain), 's'),
        atMost('over that, through the gateway', p95(served) / p95(plain), 1.5, 'x'),
      ]
    },
  },
  {
    name: 'F03 lock-conflict',
    hypothesis: 'A report whose lock conflicts with a replayed ALTER TABLE is retried',
    run(stage) {
      stage.undo(() => stage.servers.change('alter table ledger drop column if exists added'))
      return provoke(stage, 'lock', 'latched', ['alter table ledger add column added integer'])
    },
  },
  // The next three as PostgreSQL's own src/test/recovery/t/031_recovery_conflict.pl makes them.
  {
    name: 'F05 buffer-pin-conflict',
    hypothesis:
      'A report that pins a page for which replay needs a cleanup lock is retried, even with hot_standby_feedback',
    async run(stage) {
      await withDeadRows(stage)
      return provoke(stage, 'buffer pin', 'polled', REMOVE)
    },
  },
  {
    name: 'F06 recovery-deadlock',
    hypothesis: 'A report in a deadlock with replay over a lock and a page is retried',
    async run(stage) {
      await withDeadRows(stage)
      const waits = `select count(*) from pg_stat_activity
        where application_name = 'svodka reports' and wait_event_type = 'Lock'`
      const isHeld = async (): Promise<boolean> => (await stage.servers.one.ask(waits)) === '1'
      return provoke(stage, 'deadlock', 'blocked', REMOVE, async () => ({
        release: await lockTable(stage, 'locked'),
        held: () => eventually(isHeld, 5000, 5),
      }))
    },
  },
  {
    name: 'F06 tablespace-conflict',
    hypothesis: 'A report whose temporary files are in a dropped tablespace is retried',
    async run(stage) {
      const { change, changeAll } = stage.servers
      stage.undo(() =>
        change(
          'alter role svodka_reports reset temp_tablespaces',
          'drop tablespace if exists scratch',
          'alter database product reset allow_in_place_tablespaces',
        ),
      )
      await changeAll(
        'alter database product set allow_in_place_tablespaces = on',
        "create tablespace scratch location ''",
        'grant create on tablespace scratch to svodka_reports',
        'alter role svodka_reports set temp_tablespaces = scratch',
      )
      return provoke(stage, 'tablespace', 'scratching', ['drop tablespace scratch'])
    },
  },
  {
    name: 'F02 idle-connections',
    hypothesis: 'Conflicts and terminated sessions between requests make no later request fail',
    async run(stage) {
      const { one, changeAll } = stage.servers
      const gateway = await stage.gateway()
      const hits = () => gateway.askMany(100, 8, fresh('others'))
      await hits()
      await changeAll(...CHURN)
      const afterConflict = await hits()
      await one.ask(`select count(pg_terminate_backend(pid)) from pg_stat_activity
        where application_name = 'svodka reports'`)
      await sleep(100)
      const afterEnd = await hits()
      return [
        exactly('responses 200 of 100 after a vacuum', count(afterConflict, isOk), 100),
        exactly('of 100 after sessions were terminated', count(afterEnd, isOk), 100),
      ]
    },
  },
  {
    name: 'F04 table-locked',
    hypothesis:
      'A table locked by the primary delays only reports that read it, by at most a second',
    async run(stage) {
      const gateway = await stage.gateway()
      await gateway.warm('ledger')
      const alone = await gateway.loadFor(1, 100, fresh('others'))
      await lockTable(stage, 'ledger')
      const concurrent = gateway.loadFor(3, 100, fresh('others'))
      const cached = await gateway.ask({ report: 'ledger' })
      const uncached = await gateway.ask(fresh('ledger')())
      const others = await concurrent
      return [
        holds('a cached report is served, marked', isMarkedStale(cached)),
        exactly('a new one is refused', uncached.status, 503),
        atMost('slower of the two', slowest([cached, uncached]), 1500, 'ms'),
        all('other reports answered', others, isOk),
        atMost('their p99', p99(others), Math.max(50, p99(alone) * 1.1), 'ms'),
      ]
    },
  },
]
