// A million requests that fast-check makes: nothing crashes, nothing is 500, and memory stays.
import { memoryBytes } from '../bench/process-figures.ts'
import { sumOf } from '../harness/exposition.ts'
import type { Scenario } from '../harness/scenario.ts'
import { outcomesOf, startFuzzer } from './generate.ts'
import { heapGrowth, WITH_SNAPSHOTS } from './heap.ts'
import { atRest } from './rest.ts'

const MILLION = 1_000_000
const QUICK = 2000

/** Those of `make test` are the same each time, those of `make attacks` others; FUZZ_SEED repeats a run. */
function seedOf(isQuick: boolean): number {
  const { FUZZ_SEED } = process.env
  if (FUZZ_SEED !== undefined) return Number(FUZZ_SEED)
  return isQuick ? 1 : Date.now() % 1_000_000_000
}

const fuzzed: Scenario = {
  fault: 'A60',
  name: 'fuzzer',
  hypothesis:
    'A million requests, 300,000 of raw bytes and the others well-formed: no crash, no 500, nothing in flight, memory flat',
  quick: true,
  longestMs: 1_800_000,
  async run(world) {
    const gateway = await world.gateway({ settings: WITH_SNAPSHOTS })
    const seed = seedOf(world.isQuick)
    const total = world.isQuick ? QUICK : Number(process.env['FUZZ_REQUESTS'] ?? MILLION)
    const part = (share: number): Promise<Awaited<ReturnType<typeof startFuzzer>['report']>> => {
      const raw = Math.round(total * share * 0.3)
      const wellFormed = Math.round(total * share * 0.7)
      const job = {
        url: gateway.url,
        seed: seed + share * MILLION,
        raw,
        wellFormed,
        connections: 16,
      }
      return startFuzzer(world, job).report
    }
    // why: caches and V8 take what they may before memory is compared
    const first = await part(0.3)
    const memory = memoryBytes(gateway.pid)
    const from = performance.now()
    let second = first
    const heap = await heapGrowth(world, gateway, 16, async () => {
      second = await part(0.7)
    })
    const perSecond = (1000 * second.sent) / (performance.now() - from)
    const rest = await atRest(gateway)
    const memoryGrown = (memoryBytes(gateway.pid) - memory) / 2 ** 20
    const counted = sumOf(await gateway.metrics(), 'svodka_http_requests_total')
    return [
      { name: 'seed', value: seed },
      { name: 'requests', value: first.sent + second.sent, detail: outcomesOf(second) },
      { name: 'a second', value: perSecond },
      { name: 'counted by the gateway', value: counted },
      {
        name: '500 received',
        value: first.wrongCount + second.wrongCount,
        exactly: 0,
        detail: first.wrong ?? second.wrong,
      },
      { name: 'ended', value: Number(gateway.exitCode !== undefined), exactly: 0 },
      ...heap,
      { name: 'memory grown', value: memoryGrown, unit: 'MiB', atMost: 64 },
      ...rest,
    ]
  },
}

export const fuzz: readonly Scenario[] = [fuzzed]
