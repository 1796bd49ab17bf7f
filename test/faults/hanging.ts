// Servers that hang: some of their backends, the one that takes connections, or all of them.
import { quantile } from '../support/quantile.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, signalTo } from '../../src/demo/processes.ts'
import type { Gateway } from '../harness/gateway.ts'
import { askMany, cold, count, isOk, msOf, percent, startLoad, warm } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Node } from '../harness/servers.ts'
import type { World } from '../harness/world.ts'
import { isKept, mixedLoad, sinceSecond } from './network.ts'

/** Report sessions of the gateway on the server. */
async function sessions(node: Node): Promise<number[]> {
  const sql =
    "select string_agg(pid::text, ',') from pg_stat_activity where application_name = 'svodka reports'"
  return ((await node.ask(sql)) ?? '').split(',').filter(Boolean).map(Number)
}

function freeze(world: World, pid: number): void {
  signalTo(pid, 'SIGSTOP')
  world.undo(() => signalTo(pid, 'SIGCONT'))
}

const backendHangs: Scenario = {
  fault: 'F19',
  name: 'backends-hang',
  hypothesis:
    'Backends that hang are given up when a report has had its time, and the pool is whole again',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway({ settings: { REPORT_POOL_SIZE: '4' } })
    await askMany(gateway, 40, 8, () => ({ report: 'sleeping', organization: 1 }))
    for (const pid of await sessions(one)) freeze(world, pid)
    const frozenAt = performance.now()
    const answer = await gateway.ask({ report: 'slow', cold: cold() })
    const wholeMs = await wholeAgain(gateway, 4, frozenAt)
    return [
      {
        name: 'answer to a report with a second of time',
        value: answer.ms,
        unit: 'ms',
        atMost: 2100,
      },
      {
        name: 'its status is 503 or 504',
        value: Number([503, 504].includes(answer.status)),
        exactly: 1,
      },
      { name: 'four at once are answered again after', value: wholeMs, unit: 'ms', atMost: 7000 },
    ]
  },
}

/** Ms until so many new reports at once are all answered. */
async function wholeAgain(gateway: Gateway, size: number, since: number): Promise<number> {
  const isWhole = async (): Promise<boolean> => {
    const answers = await askMany(gateway, size, size, () => ({ report: 'others', cold: cold() }))
    return answers.every(answer => isOk(answer))
  }
  const happened = await eventually(isWhole, 15_000, 50)
  return happened ? performance.now() - since : Number.POSITIVE_INFINITY
}

const silentServer: Scenario = {
  fault: 'F20',
  name: 'accepts-and-says-nothing',
  hypothesis:
    'A server that takes connections and never answers costs a connect timeout, then nothing',
  async run(world) {
    const { one } = world.servers
    const proxy = await world.proxy(one)
    const gateway = await world.gateway({ replicas: [proxy.port] })
    await warm(gateway, 'ledger')
    if (one.server.pid !== undefined) freeze(world, one.server.pid)
    proxy.reset()
    const from = performance.now()
    const answers = await mixedLoad(gateway, 5)
    const refused = answers.filter(answer => !isOk(answer))
    const once = sinceSecond(answers, from, 2)
    return [
      { name: 'slowest refusal', value: Math.max(...msOf(refused)), unit: 'ms', atMost: 1200 },
      {
        name: 'p99 from the third second on',
        value: quantile(msOf(once), 0.99),
        unit: 'ms',
        atMost: 50,
      },
      {
        name: 'kept reports served',
        value: percent(answers.filter(isKept), isOk),
        unit: '%',
        exactly: 100,
      },
    ]
  },
}

const hangingReplica: Scenario = {
  fault: 'F42',
  name: 'scrape-while-it-hangs',
  hypothesis: 'While the replica hangs, metrics and probes of health are told at once',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    await warm(gateway, 'ledger')
    one.server.pause()
    const load = startLoad(gateway, 20, () => ({ report: 'others', cold: cold() }))
    const took: number[] = []
    for (let scrape = 0; scrape < 30; scrape += 1) {
      const at = performance.now()
      await gateway.metrics()
      await gateway.readyStatus()
      took.push(performance.now() - at)
      await sleep(100)
    }
    one.server.resume()
    const answers = await load.stop()
    return [
      {
        name: 'slowest scrape and look at readiness',
        value: Math.max(...took),
        unit: 'ms',
        atMost: 100,
      },
      {
        name: 'requests that got no answer',
        value: count(answers, ({ status }) => status === 0),
        exactly: 0,
      },
    ]
  },
}

export const hanging: readonly Scenario[] = [backendHangs, silentServer, hangingReplica]
