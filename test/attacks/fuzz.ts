// A million requests that fast-check makes: nothing crashes, nothing is 500, and memory stays.
import { memoryBytes } from '../harness/process-figures.ts'
import { atMost, exactly, holds, said } from '../harness/figures.ts'
import type { Scenario } from '../harness/scenario.ts'
import { outcomesOf, startFuzzer } from './generate.ts'
import { heapGrowth, WITH_SNAPSHOTS } from './heap.ts'
import type { Report } from './job.ts'
import { atRest } from './rest.ts'

const { FUZZ_SEED, FUZZ_REQUESTS = 1_000_000 } = process.env
const QUICK_REQUESTS = 500

export const fuzz: readonly Scenario[] = [
  {
    name: 'A60 fuzzer',
    hypothesis:
      'A million requests, 300,000 of raw bytes and the others well-formed: no crash, no 500, nothing in flight, memory flat',
    quick: true,
    longestMs: 1_800_000,
    async run(stage) {
      const gateway = await stage.gateway(WITH_SNAPSHOTS)
      // those of `make test` are the same each time
      const seed = Number(FUZZ_SEED ?? (stage.isQuick ? 1 : Date.now() % 1_000_000_000))
      const total = stage.isQuick ? QUICK_REQUESTS : Number(FUZZ_REQUESTS)
      const send = (share: number): Promise<Report> => {
        const raw = Math.round(total * share * 0.3)
        const wellFormed = Math.round(total * share * 0.7)
        const job = { url: gateway.url, seed: seed + share * 1_000_000, raw, wellFormed }
        return startFuzzer(stage, { ...job, clients: 16 }).report
      }
      // why: caches and V8 take what they may before memory is compared
      const reports = stage.isQuick ? [] : [await send(0.3)]
      const memory = memoryBytes(gateway.pid)
      const from = performance.now()
      const heap = await heapGrowth(stage, gateway, 16, async () => {
        reports.push(await send(0.7))
      })
      const last = reports.at(-1)
      const perSecond = (1000 * (last?.sent ?? 0)) / (performance.now() - from)
      const rest = await atRest(gateway)
      const grown = (memoryBytes(gateway.pid) - memory) / 2 ** 20
      const sum = (of: (report: Report) => number): number =>
        reports.reduce((total, report) => total + of(report), 0)
      const wrong = reports.find(report => report.wrong !== undefined)?.wrong
      return [
        said('seed', seed),
        said(
          'requests',
          sum(({ sent }) => sent),
          undefined,
          last && outcomesOf(last),
        ),
        said('a second', perSecond),
        said('counted by the gateway', await gateway.total('svodka_http_requests_total')),
        exactly(
          '500 received',
          sum(({ wrongCount }) => wrongCount),
          0,
          wrong,
        ),
        holds('lives', gateway.exitCode === undefined),
        ...heap,
        atMost('memory grown', grown, 64, 'MiB'),
        ...rest,
      ]
    },
  },
]
