// Replicas that crash or are away; all scenarios of replicas that stop, crash, fill up or change their part.
import { quantile } from '../support/quantile.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, signalTo } from '../../src/demo/processes.ts'
import {
  cold,
  count,
  isMarkedStale,
  isOk,
  loadFor,
  msOf,
  percent,
  startLoad,
  warm,
} from '../harness/load.ts'
import { oneOfTwoPromoted, promotion } from './promotion.ts'
import { storm } from './reconnects.ts'
import type { Scenario } from '../harness/scenario.ts'
import { dropped, exhausted, oneOfTwoFull, smartStop } from './slots.ts'
import { fastStop, oneOfTwo } from './stops.ts'

const KILLS = 20

const killedBackends: Scenario = {
  fault: 'F09',
  name: 'killed-backends',
  hypothesis:
    'Backends that the system kills, under load, each a crash of the replica: no 500, nothing torn, kept reports served',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    await warm(gateway, 'ledger')
    const load = startLoad(gateway, 50, at =>
      at % 2 === 0
        ? { report: 'ledger', organization: 1 + (at % 20) }
        : { report: 'others', organization: 1 + (at % 20), cold: cold() },
    )
    let kills = 0
    for (; kills < KILLS; kills += 1) {
      const sql =
        "select pid from pg_stat_activity where application_name = 'svodka reports' limit 1"
      let pid = 0
      await eventually(async () => {
        pid = Number(await one.ask(sql).catch(() => 0))
        return pid > 0
      }, 5000)
      signalTo(pid, 'SIGKILL')
      await sleep(200)
      await eventually(() => one.ask('select 1').then(Boolean, () => false), 10_000)
      await sleep(100)
    }
    const answers = await load.stop()
    const kept = answers.filter(({ report }) => report === 'ledger')
    return [
      { name: 'backends killed', value: kills, exactly: KILLS },
      { name: 'answers of 500', value: count(answers, ({ status }) => status === 500), exactly: 0 },
      { name: 'kept reports served', value: percent(kept, isOk), unit: '%', exactly: 100 },
      { name: 'answers over 2 s', value: count(answers, ({ ms }) => ms > 2000), exactly: 0 },
      {
        name: 'new reports answered',
        value: percent(
          answers.filter(({ report }) => report === 'others'),
          isOk,
        ),
        unit: '%',
      },
    ]
  },
}

const warmDown: Scenario = {
  fault: 'F34',
  name: 'warm-and-down',
  hypothesis:
    'With all replicas down and keys at the primary, kept reports are served for as long as stale allows, marked, then refused',
  async run(world) {
    const gateway = await world.gateway()
    await warm(gateway, 'brief')
    const keptAt = performance.now()
    await world.servers.one.server.stop('fast')
    const all = (at: number) => ({ report: 'brief', organization: 1 + (at % 20) })
    const answers = await loadFor(gateway, 2.5, 100, all)
    const ready = await gateway.readyStatus()
    // why: kept for four seconds from the start of a run, which was half a second before keptAt at most
    await sleep(Math.max(0, 4100 - (performance.now() - keptAt)))
    const later = await loadFor(gateway, 0.5, 100, all)
    return [
      { name: 'served while stale allows', value: percent(answers, isOk), unit: '%', exactly: 100 },
      {
        name: 'of these marked',
        value: percent(answers.filter(isOk), isMarkedStale),
        unit: '%',
        exactly: 100,
      },
      { name: 'ready', value: ready, exactly: 200 },
      {
        name: 'refused afterwards',
        value: percent(later, ({ code }) => code === 'replica_unavailable'),
        unit: '%',
        exactly: 100,
      },
    ]
  },
}

const coldDown: Scenario = {
  fault: 'F35',
  name: 'cold-and-down',
  hypothesis:
    'With all replicas down, 500 requests a second for what is not kept are refused at once',
  async run(world) {
    const gateway = await world.gateway()
    await gateway.ask({ report: 'ledger' })
    await world.servers.one.server.stop('fast')
    const answers = await loadFor(gateway, 3, 500, at => ({
      report: 'others',
      organization: 1 + (at % 20),
      cold: cold(),
    }))
    const refused = count(answers, ({ code }) => code === 'replica_unavailable')
    return [
      { name: 'refused', value: (100 * refused) / answers.length, unit: '%', exactly: 100 },
      { name: 'p99', value: quantile(msOf(answers), 0.99), unit: 'ms', atMost: 100 },
    ]
  },
}

export const restarts: readonly Scenario[] = [
  promotion,
  oneOfTwoPromoted,
  killedBackends,
  warmDown,
  fastStop,
  oneOfTwo,
  coldDown,
  storm,
  smartStop,
  exhausted,
  oneOfTwoFull,
  dropped,
]
