// Network faults on the way to a replica: no packets, or no connection.
import type { Recorded } from '../harness/client.ts'
import { startEntries } from '../harness/entries.ts'
import { all, atMost } from '../harness/figures.ts'
import * as load from '../harness/load.ts'
import { isOk, p99 } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'

export const cachedAndNew = load.mixed(load.ofEach('ledger'), load.freshOfEach('others'))
export const isCached = ({ report }: Recorded): boolean => report === 'ledger'

/** @returns responses to requests that were sent from that second on. */
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
      'The network to the replica drops all packets: from the third second on responses are immediate, and service recovers soon after',
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
      const later = p99(sinceSecond(responses, from, 2))
      return [
        atMost('p99 from the third second on', later, 100, 'ms'),
        atMost('slowest response', load.slowest(responses), 2500, 'ms'),
        all('cached reports served', responses.filter(isCached), isOk),
        atMost('first execution after the fault ends', freshMs, 2000, 'ms'),
      ]
    },
  },
  {
    name: 'F21 one-of-two-partitioned',
    hypothesis:
      'If one of two replicas is unreachable, the other executes all, from the third second on without delay',
    async run(stage) {
      const second = await stage.servers.two()
      await startEntries(stage)
      const proxy = await stage.proxy(stage.servers.one)
      const gateway = await stage.gateway({}, { replicas: [proxy.port, second.port] })
      await gateway.warm('ledger')
      proxy.drop()
      const from = performance.now()
      const shown = gateway.loadFor(4, 20, load.entries)
      const later = sinceSecond(await gateway.loadFor(4, 60, cachedAndNew), from, 2)
      await shown
      return [
        all('answered from the third second on', later, isOk),
        atMost('p99 of these', p99(later), 100, 'ms'),
      ]
    },
  },
]
