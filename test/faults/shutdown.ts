// Clients that disconnect, and gateways that stop.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import { all, atMost, exactly } from '../harness/figures.ts'
import { holdLatch } from '../harness/latch.ts'
import { fresh, isOk } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'

export const shutdown: readonly Scenario[] = [
  {
    name: 'F37 sigterm-under-load',
    hypothesis:
      'SIGTERM with 200 requests in flight: all get a response, then the process ends at once',
    quick: true,
    async run(stage) {
      const gateway = await stage.gateway()
      const latch = await holdLatch(stage, stage.servers.one)
      const four = Array.from({ length: 4 }, fresh('latched'))
      const asked = Array.from({ length: 200 }, (_, at) =>
        gateway.ask(four[at % 4] ?? fresh('latched')()),
      )
      await latch.held(4)
      await gateway.inFlight(200, 3000)
      gateway.child.kill('SIGTERM')
      await eventually(async () => (await gateway.readyStatus()) === 503, 1000, 5)
      const notReady = await gateway.readyStatus()
      const meanwhile = await gateway.ask({ report: 'ledger' })
      await sleep(400)
      await latch.release()
      const responses = await Promise.all(asked)
      const answeredAt = performance.now()
      const exitCode = await gateway.exit
      return [
        exactly('not ready at once', notReady, 503),
        exactly('a request before the end', meanwhile.status, 200),
        all('requests answered', responses, isOk),
        atMost('exit after the last response', performance.now() - answeredAt, 1000, 'ms'),
        exactly('exit code', exitCode ?? Number.NaN, 0),
      ]
    },
  },
  {
    name: 'F38 sigkill',
    hypothesis: 'A gateway that is killed leaves nothing running on the replica',
    async run(stage) {
      stage.tornAllowed = true
      const { one } = stage.servers
      const gateway = await stage.gateway()
      const latch = await holdLatch(stage, one)
      const asked = ['busy', 'busy', 'latched', 'latched'].map(report =>
        gateway.ask(fresh(report)()),
      )
      await latch.held(4)
      gateway.child.kill('SIGKILL')
      const ms = await one.untilIdle()
      await Promise.all(asked)
      return [atMost('until no statement runs', ms, 1000, 'ms')]
    },
  },
]
