// What the replay of the primary's changes does to reports that are in its way.
import { quantile } from '../support/quantile.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHURN, conflictElsewhere, conflictStorm } from './conflict-storm.ts'
import {
  askMany,
  cold,
  count,
  isMarkedStale,
  isOk,
  loadFor,
  msOf,
  percent,
  warm,
} from '../harness/load.ts'
import { bufferPin, deadlock, tablespace } from './pins.ts'
import { lockTable, provokeHeld } from './provoke.ts'
import type { Scenario } from '../harness/scenario.ts'

const snapshot: Scenario = {
  fault: 'F01',
  name: 'snapshot-conflict',
  hypothesis:
    'A report that a vacuum on the primary has cancelled is run once more, as most of its time is left',
  run: world => provokeHeld(world, 'snapshot', 'latched', CHURN),
}

const lock: Scenario = {
  fault: 'F03',
  name: 'lock-conflict',
  hypothesis: 'So is one that was in the way of a change to its table',
  run(world) {
    world.undo(() => world.servers.change('alter table ledger drop column if exists added'))
    return provokeHeld(world, 'lock', 'latched', ['alter table ledger add column added integer'])
  },
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
    const gateway = await world.gateway()
    await warm(gateway, 'ledger')
    const alone = await loadFor(gateway, 1, 100, () => ({ report: 'others', cold: cold() }))
    await lockTable(world, 'ledger')
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
  tablespace,
  idleConnections,
  lockHeld,
]
