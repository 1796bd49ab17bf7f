// What large exports, back to back, do to everyone else in the same process: hits beside them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import type { BenchOrganization, ProductDatabase } from '../product.ts'
import { ratioRow } from '../ratio-row.ts'
import { interleaved, roundsOf } from '../rounds.ts'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import { CLIENT_HEADERS, load, requestsFile } from '../wrk.ts'
import type { Load } from '../wrk.ts'
import { portOf, startAsker } from './ask.ts'
import { closedTargetOf, subjectOf } from './subject.ts'

const CONNECTIONS = 16
const SECONDS = 3
/** The first export has begun by then. */
const HEAD_START_MS = 200

interface Measured extends Load {
  readonly exportsPerSecond: number
}

export async function hitsBesideExports(bench: Bench): Promise<Row> {
  const { product } = bench
  const gateway = await startGateway(bench)
  const target = closedTargetOf('income_by_category')
  await warm(gateway.url + target, everyone(product))
  const requests = requestsFile(
    bench,
    everyone(product)
      .flatMap(({ keys }) => keys)
      .map(key => ({
        path: target,
        headers: { ...CLIENT_HEADERS, Authorization: `Bearer ${key}` },
      })),
  )
  const hits = (): Promise<Load> =>
    load(bench, { url: gateway.url, requests, seconds: SECONDS, connections: CONNECTIONS })
  const asker = startAsker(bench)
  const subject = subjectOf(product.named['two hundred thousand'], 'operations')
  const asked = { port: portOf(gateway), target: subject.target, key: subject.key }

  const measured = await interleaved<Measured>(
    [
      { name: 'alone', measure: async () => ({ ...(await hits()), exportsPerSecond: 0 }) },
      {
        name: 'beside exports',
        async measure() {
          const exported = asker.repeat(asked)
          await sleep(HEAD_START_MS)
          const measured = await hits()
          const { ms, seconds } = await exported()
          return { ...measured, exportsPerSecond: ms.length / seconds }
        },
      },
    ],
    {
      rounds: 4,
      signal: bench.signal,
      progress: words => bench.progress(`hits beside exports: ${words}`),
    },
  )
  await gateway.stop()
  const of = (name: string, figure: keyof Measured): number[] =>
    roundsOf(measured, name).map(round => round[figure])
  return ratioRow({
    name: 'hits while exports of 200,000 rows run back to back, against none',
    rounds: of('beside exports', 'requestsPerSecond'),
    baseline: { name: 'hits alone', rounds: of('alone', 'requestsPerSecond') },
    target: { atLeast: 0.2 },
    figures: {
      'hits alone, req/s': median(of('alone', 'requestsPerSecond')),
      'hits beside exports, req/s': median(of('beside exports', 'requestsPerSecond')),
      'hits alone, p99 ms': median(of('alone', 'p99Ms')),
      'hits beside exports, p99 ms': median(of('beside exports', 'p99Ms')),
      'exports a second': median(of('beside exports', 'exportsPerSecond')),
    },
  })
}

function everyone({ ordinary, named }: ProductDatabase): readonly BenchOrganization[] {
  return [...ordinary, ...Object.values(named)]
}

/** @throws Error where an answer is no 200, or is not a hit the second time. */
async function warm(url: string, organizations: readonly BenchOrganization[]): Promise<void> {
  for (const { keys } of organizations) {
    const headers = { authorization: `Bearer ${keys[0]}` }
    await (await fetch(url, { headers })).arrayBuffer()
    const again = await fetch(url, { headers })
    await again.arrayBuffer()
    const said = `${again.status}, ${again.headers.get('cache-status')}`
    if (!said.startsWith('200, svodka; hit')) throw new Error(`${url} is no hit: ${said}`)
  }
}
