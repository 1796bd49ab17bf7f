// Hanging servers: some backends, the postmaster, or all processes.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import { atMost, holds, none } from '../harness/figures.ts'
import { fresh, isOk } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'

/** Report sessions of the gateway. */
const SESSIONS = `select string_agg(pid::text, ',') from pg_stat_activity
  where application_name = 'svodka reports'`

export const hanging: readonly Scenario[] = [
  {
    name: 'F19 backends-hang',
    hypothesis:
      'Hanging backends are abandoned after the timeout of the report, and the pool recovers',
    async run(stage) {
      const gateway = await stage.gateway({ REPORT_POOL_SIZE: '4' })
      await gateway.askMany(40, 8, () => ({ report: 'sleeping' }))
      stage.freeze(((await stage.servers.one.ask(SESSIONS)) ?? '').split(',').map(Number))
      const frozenAt = performance.now()
      const { status, ms } = await gateway.ask(fresh('slow')())
      const isWhole = async (): Promise<boolean> =>
        (await gateway.askMany(4, 4, fresh('others'))).every(isOk)
      const whole = await eventually(isWhole, 15_000, 50)
      const wholeMs = whole ? performance.now() - frozenAt : Number.POSITIVE_INFINITY
      return [
        atMost('response to a report with timeout 1 s', ms, 2100, 'ms'),
        holds('its status is 503 or 504', [503, 504].includes(status)),
        atMost('four concurrent reports succeed after', wholeMs, 7000, 'ms'),
      ]
    },
  },
  {
    name: 'F42 scrape-while-it-hangs',
    hypothesis: 'While the replica hangs, metrics and health probes respond at once',
    async run(stage) {
      const { server } = stage.servers.one
      const gateway = await stage.gateway()
      await gateway.warm('ledger')
      server.pause()
      const uncached = gateway.startLoad(20, fresh('others'))
      const took: number[] = []
      for (let scrape = 0; scrape < 30; scrape += 1) {
        const at = performance.now()
        await gateway.metrics()
        await gateway.readyStatus()
        took.push(performance.now() - at)
        await sleep(100)
      }
      server.resume()
      return [
        atMost('slowest scrape and readiness', Math.max(...took), 100, 'ms'),
        none('requests without a response', await uncached.stop(), ({ status }) => status === 0),
      ]
    },
  },
]
