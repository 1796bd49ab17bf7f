// The way to a replica: silent, or none at all.
import type { Recorded } from '../harness/client.ts'
import { startEntries } from '../harness/entries.ts'
import { all, atMost, exactly } from '../harness/figures.ts'
import type { Figure } from '../harness/figures.ts'
import * as load from '../harness/load.ts'
import { fresh, hasCode, isOk, p99 } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'

export const cachedAndNew = load.mixed(load.ofEach('ledger'), load.freshOfEach('others'))
export const isCached = ({ report }: Recorded): boolean => report === 'ledger'

/** Those that began from that second on. */
export function sinceSecond(
  responses: readonly Recorded[],
  from: number,
  second: number,
): Recorded[] {
  return responses.filter(({ startedAt }) => startedAt - from >= second * 1000)
}

export const network: readonly Scenario[] = [
  {
    name: 'F21 partition',
    hypothesis:
      'The network to the replica swallows everything: from the second second on responses come at once, and all is well soon after it heals',
    async run(stage) {
      const proxy = await stage.proxy(stage.servers.one)
      const gateway = await stage.gateway({}, { replicas: [proxy.port] })
      await gateway.warm('ledger')
      proxy.drop()
      const from = performance.now()
      const responses = await gateway.loadFor(6, 60, cachedAndNew)
      const healing = performance.now()
      proxy.carry()
      const freshMs = await gateway.firstFresh(healing)
      const later = p99(sinceSecond(responses, from, 1))
      return [
        atMost('p99 from the second second on', later, 100, 'ms'),
        atMost('slowest response', load.slowest(responses), 2500, 'ms'),
        all('cached reports served', responses.filter(isCached), isOk),
        atMost('first fresh after it heals', freshMs, 2000, 'ms'),
      ]
    },
  },
  {
    name: 'F21 one-of-two-partitioned',
    hypothesis:
      'When one of two replicas is cut off, the other answers all, from the second second on at once',
    async run(stage) {
      const second = await stage.servers.two()
      await startEntries(stage)
      const proxy = await stage.proxy(stage.servers.one)
      const gateway = await stage.gateway({}, { replicas: [proxy.port, second.port] })
      await gateway.warm('ledger')
      proxy.drop()
      const from = performance.now()
      const shown = gateway.loadFor(4, 20, load.entries)
      const later = sinceSecond(await gateway.loadFor(4, 60, cachedAndNew), from, 1)
      await shown
      return [
        all('answered from the second second on', later, isOk),
        atMost('p99 of these', p99(later), 100, 'ms'),
      ]
    },
  },
  {
    name: 'F23 no-such-host-no-tls',
    hypothesis:
      'A name that nobody knows, or a server without the TLS that is asked for: alive, 503 at once, and no plain connection',
    async run(stage) {
      const { url, one } = stage.servers
      const good = url('svodka_reports', one.port)
      const figures: Figure[] = []
      for (const [what, DATABASE_URL] of [
        ['no such host', good.replace('127.0.0.1', 'no-such-host.invalid')],
        ['no TLS', `${good}?sslmode=require`],
      ] as const) {
        const gateway = await stage.gateway({ DATABASE_URL }, {}, { unready: true })
        const responses = await gateway.loadFor(1, 20, fresh('ledger'))
        const { status } = await fetch(`${gateway.opsUrl}/livez`)
        figures.push(
          all(`${what}: replica_unavailable`, responses, hasCode('replica_unavailable')),
          exactly(`${what}: live`, status, 200),
        )
      }
      return figures
    },
  },
]
