// Requests whose responses are cached, against bare Koa and against the usual way to check a key.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadRequest } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import { startServer } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'
import { loadOf } from '../wrk.ts'
import type { Round } from '../wrk.ts'
import { prepare, sendsSameBytes } from './questions.ts'
import type { Questions } from './questions.ts'

const BASELINE = fileURLToPath(new URL('./baseline.js', import.meta.url))
/** More than the bytes of any response without a body. */
const HEAD_BYTES = 1500

export async function hits(bench: Bench): Promise<Row[]> {
  const gateway = await startGateway(bench)
  bench.progress('hits: filling the cache, comparing cached bodies with fresh ones')
  const questions = await prepare(bench, gateway.url)
  const bare = await startBaseline(bench, questions, {})
  const knex = await startBaseline(bench, questions, { DATABASE_URL: bench.product.urls.keys })
  const least = Math.min(...questions.bodies.map(({ length }) => length))
  const seconds = bench.quick ? 2 : 3
  const loaded = (
    server: ServerProcess,
    requests: readonly LoadRequest[] = questions.full,
  ): (() => Promise<Round>) => {
    const load = loadOf(bench, server, requests, { seconds })
    const [from, to] = requests === questions.full ? [least, Infinity] : [0, HEAD_BYTES]
    return async () => inSize(await load(), from, to)
  }
  const measured = await interleaved(bench, 'hits', bench.quick ? 3 : 5, {
    'bare Koa': loaded(bare),
    knex: loaded(knex),
    hit: loaded(gateway),
    'not modified': loaded(gateway, questions.conditional),
  })
  const perSecond = ({ requestsPerSecond }: Round): number => requestsPerSecond
  const cpuShare = (round: Round): number => round.cpuShare
  const saturated = { ours: 'hit', baseline: 'bare Koa', judged: perSecond, cpuShare } as const
  const rows = [
    {
      ...saturated,
      name: 'full hit against bare Koa',
      of: perSecond,
      target: { atLeast: 0.8 },
      note: 'the same bytes from both; must be 0.7',
    },
    {
      name: 'full hit against a key query per request through knex',
      ours: 'hit',
      baseline: 'knex',
      of: perSecond,
      target: { atLeast: 4 },
    },
    {
      name: '304 against 200',
      ours: 'not modified',
      baseline: 'hit',
      of: perSecond,
      target: { atLeast: 1.05 },
    },
    {
      ...saturated,
      name: "p99 of hits against bare Koa's",
      of: ({ p99Ms }: Round) => p99Ms,
      target: { atMost: 1.5 },
      note: "bare Koa's requests a second say whether the row is void",
    },
  ] as const
  return rows.map(row => ratioRow(measured, row))
}

/** why: wrk does not count statuses below 400, so the number of bytes distinguishes 200 from 304. */
function inSize(round: Round, from: number, to: number): Round {
  const bytes = Math.round(round.bytesPerRequest)
  // Requests aborted at the end of a round have received only a part of their body.
  if (bytes >= from * 0.99 && bytes <= to) return round
  throw new Error(`a response has ${bytes} bytes, expected ${from} to ${to}`)
}

async function startBaseline(
  bench: Bench,
  questions: Questions,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const bodies = join(bench.folder, 'bodies')
  mkdirSync(bodies, { recursive: true })
  for (const [at, body] of questions.bodies.entries()) writeFileSync(join(bodies, `${at}`), body)
  const command = [process.execPath, BASELINE]
  const server = await startServer(bench, { name: 'koa', command, env: { BODIES: bodies, ...env } })
  await sendsSameBytes(server.url, questions)
  return server
}
