// Clients that leave, and gateways that are told to.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import { sumOf } from '../harness/exposition.ts'
import { running } from '../harness/invariants.ts'
import { holdLatch } from '../harness/latch.ts'
import { cold, count, isOk } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Node } from '../harness/servers.ts'

/** Ms until nothing of the gateway's runs on the server any more. */
async function untilIdle(node: Node): Promise<number> {
  const since = performance.now()
  const isIdle = await eventually(async () => (await running(node)) === 0, 20_000, 10)
  return isIdle ? performance.now() - since : Number.POSITIVE_INFINITY
}

const clientsLeave: Scenario = {
  fault: 'F28',
  name: 'clients-leave',
  hypothesis:
    'When the last client who waits for a run has left, its statement ends, also one that keeps a core busy',
  quick: true,
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    const latch = await holdLatch(world, one)
    const leave = new AbortController()
    const asked = Array.from({ length: 50 }, (_, at) =>
      gateway.ask({ report: at < 3 ? 'busy' : 'latched', cold: cold(), signal: leave.signal }),
    )
    await latch.held(8)
    leave.abort()
    const ms = await untilIdle(one)
    const answers = await Promise.all(asked)
    const stays = await gateway.ask({ report: 'ledger', cold: cold() })
    return [
      { name: 'clients that left', value: count(answers, ({ left }) => left), atLeast: 50 },
      { name: 'until no statement runs', value: ms, unit: 'ms', atMost: 1000 },
      { name: 'the next report', value: stays.status, exactly: 200 },
    ]
  },
}

const oneStays: Scenario = {
  fault: 'F28',
  name: 'one-client-stays',
  hypothesis: 'A run goes on for the one who still waits when nine others have left',
  async run(world) {
    const gateway = await world.gateway()
    const latch = await holdLatch(world, world.servers.one)
    const period = cold()
    const leave = new AbortController()
    const leaving = Array.from({ length: 9 }, () =>
      gateway.ask({ report: 'latched', cold: period, signal: leave.signal }),
    )
    const staying = gateway.ask({ report: 'latched', cold: period })
    await latch.held(1)
    await eventually(
      async () => sumOf(await gateway.metrics(), 'svodka_http_requests_in_flight') === 10,
      3000,
    )
    leave.abort()
    await Promise.all(leaving)
    await latch.release()
    const { status } = await staying
    const runs = sumOf(await gateway.metrics(), 'svodka_runs_total', { definition: 'latched' })
    return [
      { name: 'its answer', value: status, exactly: 200 },
      { name: 'runs', value: runs, exactly: 1 },
    ]
  },
}

const sigterm: Scenario = {
  fault: 'F37',
  name: 'sigterm-under-load',
  hypothesis:
    'SIGTERM with 200 requests in flight: all are answered, then the process ends at once',
  quick: true,
  async run(world) {
    const gateway = await world.gateway()
    const latch = await holdLatch(world, world.servers.one)
    const periods = [cold(), cold(), cold(), cold()]
    const asked = Array.from({ length: 200 }, (_, at) =>
      gateway.ask({ report: 'latched', cold: periods[at % 4] ?? 0 }),
    )
    await latch.held(4)
    await eventually(
      async () => sumOf(await gateway.metrics(), 'svodka_http_requests_in_flight') === 200,
      3000,
    )
    gateway.signal('SIGTERM')
    await eventually(async () => (await gateway.readyStatus()) === 503, 1000, 5)
    const notReady = await gateway.readyStatus()
    const meanwhile = await gateway.ask({ report: 'ledger' })
    await sleep(400)
    await latch.release()
    const answers = await Promise.all(asked)
    const answeredAt = performance.now()
    const exitCode = await gateway.exit
    return [
      { name: 'not ready at once', value: notReady, exactly: 503 },
      { name: 'a request before the end', value: meanwhile.status, exactly: 200 },
      { name: 'requests that failed', value: 200 - count(answers, isOk), atMost: 0 },
      {
        name: 'exit after the last answer',
        value: performance.now() - answeredAt,
        unit: 'ms',
        atMost: 1000,
      },
      { name: 'exit code', value: exitCode ?? Number.NaN, exactly: 0 },
    ]
  },
}

const sigkill: Scenario = {
  fault: 'F38',
  name: 'sigkill',
  hypothesis: 'A gateway that is killed leaves nothing running on the replica',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    const latch = await holdLatch(world, one)
    world.tornAllowed = true
    const asked = Array.from({ length: 4 }, (_, at) =>
      gateway.ask({ report: at < 2 ? 'busy' : 'latched', cold: cold() }),
    )
    await latch.held(4)
    gateway.signal('SIGKILL')
    const ms = await untilIdle(one)
    await Promise.all(asked)
    return [{ name: 'until no statement runs', value: ms, unit: 'ms', atMost: 1000 }]
  },
}

export const shutdown: readonly Scenario[] = [clientsLeave, oneStays, sigterm, sigkill]
