// The way to a replica: silent, late, slow, torn; and servers that hang behind it.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, signalTo } from '../../src/demo/processes.ts'
import type { Gateway } from './gateway.ts'
import {
  askMany,
  cold,
  count,
  firstFresh,
  isOk,
  loadFor,
  msOf,
  percent,
  quantile,
  startLoad,
  warm,
} from './load.ts'
import type { Recorded } from './recorder.ts'
import type { Figure, Scenario } from './scenario.ts'
import type { Node } from './servers.ts'
import type { World } from './world.ts'

/** Kept and new reports, and the answers to each that began in that part of the time. */
async function mixedLoad(gateway: Gateway, seconds: number): Promise<Recorded[]> {
  return loadFor(gateway, seconds, 60, at =>
    at % 2 === 0
      ? { report: 'ledger', organization: 1 + (at % 20) }
      : { report: 'others', organization: 1 + (at % 20), cold: cold() },
  )
}

function sinceSecond(answers: readonly Recorded[], from: number, second: number): Recorded[] {
  return answers.filter(({ startedAt }) => startedAt - from >= second * 1000)
}

const kept = ({ report }: Recorded): boolean => report === 'ledger'

const partition: Scenario = {
  fault: 'F21',
  name: 'partition',
  hypothesis:
    'The network to the replica swallows everything: from the second second on answers come at once, and all is well soon after it heals',
  async run(world) {
    const proxy = await world.proxy(world.servers.one)
    const gateway = await world.gateway({ replicas: [proxy.port] })
    await warm(gateway, 'ledger')
    proxy.hurt({ blackhole: true }, 'toServer', 'toClient')
    const from = performance.now()
    const answers = await mixedLoad(gateway, 6)
    const healing = performance.now()
    proxy.heal()
    const freshMs = await firstFresh(gateway, healing)
    const later = sinceSecond(answers, from, 1)
    return [
      {
        name: 'p99 from the second second on',
        value: quantile(msOf(later), 0.99),
        unit: 'ms',
        atMost: 100,
      },
      { name: 'slowest answer', value: Math.max(...msOf(answers)), unit: 'ms', atMost: 2500 },
      {
        name: 'kept reports served',
        value: percent(answers.filter(kept), isOk),
        unit: '%',
        exactly: 100,
      },
      { name: 'first fresh after it heals', value: freshMs, unit: 'ms', atMost: 2000 },
    ]
  },
}

const oneOfTwo: Scenario = {
  fault: 'F21',
  name: 'one-of-two-partitioned',
  hypothesis:
    'When one of two replicas is cut off, the other answers all, from the second second on at once',
  async run(world) {
    const second = await world.servers.two()
    const proxy = await world.proxy(world.servers.one)
    const gateway = await world.gateway({ replicas: [proxy.port, second.port] })
    await warm(gateway, 'ledger')
    proxy.hurt({ blackhole: true }, 'toServer', 'toClient')
    const from = performance.now()
    const later = sinceSecond(await mixedLoad(gateway, 4), from, 1)
    return [
      {
        name: 'answered from the second second on',
        value: percent(later, isOk),
        unit: '%',
        exactly: 100,
      },
      { name: 'p99 of these', value: quantile(msOf(later), 0.99), unit: 'ms', atMost: 100 },
    ]
  },
}

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
        value: percent(answers.filter(kept), isOk),
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

const nowhere: Scenario = {
  fault: 'F23',
  name: 'no-such-host-no-tls',
  hypothesis:
    'A name that nobody knows, or a server without the TLS that is asked for: alive, 503 at once, and no plain connection',
  async run(world) {
    const { one } = world.servers
    const figures: Figure[] = []
    const url = new URL(world.servers.url('svodka_reports', one.port))
    const tls = `${url.href}?sslmode=require`
    for (const [what, database] of [
      ['no such host', Object.assign(url, { hostname: 'no-such-host.invalid' }).href],
      ['no TLS', tls],
    ] as const) {
      const gateway = await world.gateway({ settings: { DATABASE_URL: database }, unready: true })
      const answers = await loadFor(gateway, 1, 20, () => ({ report: 'ledger', cold: cold() }))
      const refused = ({ code }: Recorded): boolean => code === 'replica_unavailable'
      const { status } = await fetch(`${gateway.opsUrl}/livez`)
      figures.push(
        {
          name: `${what}: replica_unavailable`,
          value: percent(answers, refused),
          unit: '%',
          exactly: 100,
        },
        { name: `${what}: live`, value: status, exactly: 200 },
      )
    }
    return figures
  },
}

export const network: readonly Scenario[] = [
  partition,
  oneOfTwo,
  backendHangs,
  silentServer,
  hangingReplica,
  nowhere,
]
