// Replicas that are stopped and started again.
import { quantile } from '../support/quantile.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import { startEntries } from '../harness/entries.ts'
import {
  cold,
  count,
  entriesAnew,
  firstFresh,
  isOk,
  msOf,
  percent,
  startLoad,
  warm,
} from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Node } from '../harness/servers.ts'

async function sleepers(node: Node): Promise<number> {
  const sql =
    "select count(*) from pg_stat_activity where application_name = 'svodka reports' and wait_event = 'PgSleep'"
  return Number(await node.ask(sql))
}

export const fastStop: Scenario = {
  fault: 'F08',
  name: 'fast-stop',
  hypothesis:
    'A replica restarts: kept reports are served, new ones refused at once, and the first fresh one comes within a second',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    await warm(gateway, 'ledger')
    const warmLoad = startLoad(gateway, 50, at => ({
      report: 'ledger',
      organization: 1 + (at % 20),
    }))
    // why: one organization has a quarter of the slots beside others, and would wait for itself
    const coldLoad = startLoad(gateway, 30, () => ({
      report: 'others',
      organization: 5,
      cold: cold(),
    }))
    await sleep(300)
    const held = [1, 2, 3, 4].map(organization =>
      gateway.ask({ report: 'sleeping', organization, cold: cold() }),
    )
    await eventually(async () => (await sleepers(one)) === 4, 5000, 5)
    const stoppedAt = performance.now()
    await one.server.stop('fast')
    const ended = await Promise.all(held)
    await sleep(2000)
    await one.server.start()
    const freshMs = await firstFresh(gateway, performance.now())
    const warmAnswers = await warmLoad.stop()
    const coldAnswers = await coldLoad.stop()
    const refused = coldAnswers.filter(answer => !isOk(answer))
    return [
      { name: 'kept reports served', value: percent(warmAnswers, isOk), unit: '%', exactly: 100 },
      {
        name: 'runs that the stop ended, refused after',
        value: Math.max(...ended.map(({ startedAt, ms }) => startedAt + ms - stoppedAt)),
        unit: 'ms',
        atMost: 100,
      },
      { name: 'p99 of 503s', value: quantile(msOf(refused), 0.99), unit: 'ms', atMost: 100 },
      {
        name: 'answers over 2 s',
        value: count([...warmAnswers, ...coldAnswers], ({ ms }) => ms > 2000),
        exactly: 0,
      },
      { name: 'first fresh after it accepts', value: freshMs, unit: 'ms', atMost: 1000 },
    ]
  },
}

export const oneOfTwo: Scenario = {
  fault: 'F08',
  name: 'one-of-two-restarts',
  hypothesis: 'When one of two replicas is stopped and started again, nobody notices',
  async run(world) {
    const { one } = world.servers
    const second = await world.servers.two()
    const gateway = await world.gateway({ replicas: [one.port, second.port] })
    await startEntries(world)
    const load = startLoad(gateway, 60, at =>
      at % 3 === 0 ? entriesAnew(at / 3) : { report: 'others', cold: cold() },
    )
    await sleep(500)
    await one.server.stop('fast')
    await sleep(1500)
    await one.server.start()
    await sleep(1500)
    const answers = await load.stop()
    return [
      {
        name: 'answers other than 200',
        value: count(answers, answer => !isOk(answer)),
        exactly: 0,
      },
      { name: 'slowest', value: Math.max(...msOf(answers)), unit: 'ms', atMost: 2000 },
    ]
  },
}
