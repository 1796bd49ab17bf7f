// The effect of continuous large exports on cache hits in the same process.
import { setTimeout as sleep } from 'node:timers/promises'
import { askAll, checkHits } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import { closedYear, requestOf, subjectOf } from '../subject.ts'
import { loadOf } from '../wrk.ts'

const SECONDS = 3
/** The first export has begun by then. */
const HEAD_START_MS = 200

export async function exports(bench: Bench): Promise<Row[]> {
  const { ordinary, named } = bench.product
  const gateway = await startGateway(bench)
  const path = closedYear('income_by_category')
  const organizations = [...ordinary, ...Object.values(named)]
  const requests = organizations.flatMap(({ keys }) => keys.map(key => requestOf(path, key)))
  await askAll(gateway.url, requests)
  checkHits(await askAll(gateway.url, requests))
  const hits = loadOf(bench, gateway, requests, { seconds: SECONDS, connections: 16 })
  const large = subjectOf(named['two hundred thousand'], 'operations').fresh
  // A second more, so that the hits end first.
  const exported = loadOf(bench, gateway, [large], { seconds: SECONDS + 1, connections: 1 })
  const measured = await interleaved(bench, 'hits beside exports', 4, {
    'hits alone': hits,
    async 'hits beside exports'() {
      const measuring = sleep(HEAD_START_MS).then(hits)
      await exported()
      return measuring
    },
  })
  await gateway.stop()
  return [
    ratioRow(measured, {
      name: 'hits while exports of 200,000 rows run back to back, against none',
      ours: 'hits beside exports',
      baseline: 'hits alone',
      of: ({ requestsPerSecond }) => requestsPerSecond,
      target: { atLeast: 0.2 },
    }),
  ]
}
