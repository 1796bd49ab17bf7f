// The way to a replica: silent, or none at all.
import { quantile } from '../support/quantile.ts'
import type { Gateway } from '../harness/gateway.ts'
import { startEntries } from '../harness/entries.ts'
import {
  cold,
  entriesAnew,
  firstFresh,
  isOk,
  loadFor,
  msOf,
  percent,
  warm,
} from '../harness/load.ts'
import type { Recorded } from '../harness/recorder.ts'
import type { Figure, Scenario } from '../harness/scenario.ts'

/** Kept and new reports, and the answers to each that began in that part of the time. */
export async function mixedLoad(gateway: Gateway, seconds: number): Promise<Recorded[]> {
  return loadFor(gateway, seconds, 60, at =>
    at % 2 === 0
      ? { report: 'ledger', organization: 1 + (at % 20) }
      : { report: 'others', organization: 1 + (at % 20), cold: cold() },
  )
}

export function sinceSecond(
  answers: readonly Recorded[],
  from: number,
  second: number,
): Recorded[] {
  return answers.filter(({ startedAt }) => startedAt - from >= second * 1000)
}

export const isKept = ({ report }: Recorded): boolean => report === 'ledger'

const partition: Scenario = {
  fault: 'F21',
  name: 'partition',
  hypothesis:
    'The network to the replica swallows everything: from the second second on answers come at once, and all is well soon after it heals',
  async run(world) {
    const proxy = await world.proxy(world.servers.one)
    const gateway = await world.gateway({ replicas: [proxy.port] })
    await warm(gateway, 'ledger')
    proxy.drop()
    const from = performance.now()
    const answers = await mixedLoad(gateway, 6)
    const healing = performance.now()
    proxy.carry()
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
        value: percent(answers.filter(isKept), isOk),
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
    await startEntries(world)
    const proxy = await world.proxy(world.servers.one)
    const gateway = await world.gateway({ replicas: [proxy.port, second.port] })
    await warm(gateway, 'ledger')
    proxy.drop()
    const from = performance.now()
    const shown = loadFor(gateway, 4, 20, entriesAnew)
    const later = sinceSecond(await mixedLoad(gateway, 4), from, 1)
    await shown
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

export const network: readonly Scenario[] = [partition, oneOfTwo, nowhere]
