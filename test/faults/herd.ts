// Many concurrent requests for the same report.
import { all, atMost, exactly, said } from '../harness/figures.ts'
import { holdLatch } from '../harness/latch.ts'
import { fresh, isOk } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import { quantile } from '../harness/quantile.ts'

export const herd: readonly Scenario[] = [
  {
    name: 'F29 herd-of-one-report',
    hypothesis: '1,000 requests for the same uncached report share one execution',
    quick: true,
    async run(stage) {
      // why: the test proves a single execution, not the speed of key look-ups on a busy machine
      const gateway = await stage.gateway({}, {}, { limits: { keyTimeoutMs: 10_000 } })
      const clients = stage.isQuick ? 300 : 1000
      const latch = await holdLatch(stage, stage.servers.one)
      const same = fresh('latched')()
      const asked = Array.from({ length: clients }, async () => {
        const response = await gateway.ask(same)
        return { ...response, at: performance.now() }
      })
      await gateway.inFlight(clients)
      await latch.release()
      const releasedAt = performance.now()
      const responses = await Promise.all(asked)
      const after = responses.map(({ at }) => at - releasedAt)
      const cachedFrom = performance.now()
      const cached = await Promise.all(
        Array.from({ length: clients }, async () => {
          await gateway.ask(same)
          return performance.now() - cachedFrom
        }),
      )
      const [p99, p99OfCached] = [quantile(after, 0.99), quantile(cached, 0.99)]
      return [
        exactly('executions', await gateway.executionsOf('latched'), 1),
        all('answered', responses, isOk),
        exactly('different bodies', new Set(responses.map(({ bodyHash }) => bodyHash)).size, 1),
        said('p99 after the latch is released', p99, 'ms'),
        atMost('over that of as many cached responses', p99 / p99OfCached, 1.2, 'x'),
      ]
    },
  },
]
