// Many who ask at once.
import { quantile } from '../support/quantile.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import { memoryBytes } from '../bench/process-figures.ts'
import { median } from '../bench/statistics.ts'
import { sumOf } from '../harness/exposition.ts'
import type { Gateway } from '../harness/gateway.ts'
import { holdLatch } from '../harness/latch.ts'
import { askMany, cold, count, isOk } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'

const sameKey: Scenario = {
  fault: 'F29',
  name: 'herd-of-one-report',
  hypothesis: '1,000 who ask for the same cold report share one run',
  quick: true,
  async run(world) {
    const gateway = await world.gateway()
    const latch = await holdLatch(world, world.servers.one)
    const period = cold()
    const asked = Array.from({ length: 1000 }, async () => {
      const answer = await gateway.ask({ report: 'latched', cold: period })
      return { ...answer, at: performance.now() }
    })
    await eventually(
      async () => sumOf(await gateway.metrics(), 'svodka_http_requests_in_flight') === 1000,
      10_000,
    )
    await latch.release()
    const releasedAt = performance.now()
    const answers = await Promise.all(asked)
    const runs = sumOf(await gateway.metrics(), 'svodka_runs_total', { definition: 'latched' })
    const after = answers.map(({ at }) => at - releasedAt)
    return [
      { name: 'runs', value: runs, exactly: 1 },
      { name: 'answers of 200', value: count(answers, isOk), atLeast: 1000 },
      {
        name: 'bodies that differ',
        value: new Set(answers.map(({ bodyHash }) => bodyHash)).size - 1,
        atMost: 0,
      },
      { name: 'p99 once the run may go on', value: quantile(after, 0.99), unit: 'ms', atMost: 400 },
    ]
  },
}

/** Median of a second, in MiB. */
async function memoryOf({ pid }: Gateway): Promise<number> {
  const samples: number[] = []
  for (let sample = 0; sample < 10; sample += 1) {
    samples.push(memoryBytes(pid) / 2 ** 20)
    await sleep(100)
  }
  return median(samples)
}

const memory: Scenario = {
  fault: 'F40',
  name: 'cache-full',
  hypothesis: 'Memory stays flat when far more bodies are asked for than the cache holds',
  async run(world) {
    const gateway = await world.gateway()
    const fill = (bodies: number) =>
      askMany(gateway, bodies, 4, at => ({
        report: 'medium',
        cold: cold(),
        organization: 1 + (at % 20),
      }))
    await fill(800)
    const before = await memoryOf(gateway)
    const answers = await fill(800)
    const after = await memoryOf(gateway)
    const kept = sumOf(await gateway.metrics(), 'svodka_cache_bytes') / 2 ** 20
    return [
      { name: 'answers of 200', value: count(answers, isOk), exactly: 800 },
      { name: 'kept', value: kept, unit: 'MiB', atMost: 32 },
      {
        name: 'memory after 1,600 bodies over that after 800',
        value: after / before,
        unit: 'x',
        atMost: 1.05,
      },
    ]
  },
}

export const herd: readonly Scenario[] = [sameKey, memory]
