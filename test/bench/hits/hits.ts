// Requests whose responses are cached, against Koa alone and against the ordinary way to check a key.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import { startServer } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'
import { median, ratioOf } from '../statistics.ts'
import { figuresOf, loadOf } from '../wrk.ts'
import type { Round } from '../wrk.ts'
import { prepare, sendsSameBytes } from './questions.ts'
import type { Questions } from './questions.ts'

const BASELINE = fileURLToPath(new URL('./baseline.js', import.meta.url))
const MUST = 0.7
const REACH = 0.8
/** Heads alone, and never a body. */
const HEAD_BYTES = 1500

type Measured = Readonly<Record<'bare' | 'knex' | 'full' | 'notModified', readonly Round[]>>

export async function hits(bench: Bench): Promise<Row[]> {
  const gateway = await startGateway(bench)
  bench.progress('hits: filling the cache, comparing cached bodies with fresh ones')
  const questions = await prepare(bench, gateway.url)
  const bare = await startBaseline(bench, questions, {})
  const knex = await startBaseline(bench, questions, { DATABASE_URL: bench.product.urls.keys })
  const least = Math.min(...questions.bodies.map(({ length }) => length))
  const contender = (
    server: ServerProcess,
    asked: 'full' | 'conditional' = 'full',
  ): (() => Promise<Round>) => {
    const load = loadOf(bench, server, {
      requests: questions[asked],
      seconds: bench.quick ? 2 : 3,
    })
    const [from, to] = asked === 'full' ? [least, Infinity] : [0, HEAD_BYTES]
    return async () => inSize(await load(), from, to)
  }
  return rowsOf(
    await interleaved(bench, 'hits', bench.quick ? 3 : 5, {
      bare: contender(bare),
      knex: contender(knex),
      full: contender(gateway),
      notModified: contender(gateway, 'conditional'),
    }),
  )
}

/** why: wrk counts no status below 400, so the bytes tell 200 from 304. */
function inSize(round: Round, from: number, to: number): Round {
  const bytes = Math.round(round.bytesPerRequest)
  // Requests that were cut off at the end of a round have sent a part.
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

function rowsOf({ bare, knex, full, notModified }: Measured): Row[] {
  const of = (rounds: readonly Round[], figure: keyof Round): number[] =>
    rounds.map(round => round[figure])
  const rates = (rounds: readonly Round[]): number[] => of(rounds, 'requestsPerSecond')
  const baseline = {
    name: 'bare Koa',
    rounds: rates(bare),
    cpuShares: of(bare, 'cpuShare'),
  }
  const bodies = `bodies of about ${Math.round(median(of(full, 'bytesPerRequest')) / 1000)} KB`
  const isHeld = ratioOf(rates(full), baseline.rounds).value >= MUST
  return [
    ratioRow({
      name: 'full hit against bare Koa',
      rounds: rates(full),
      baseline,
      target: { atLeast: REACH },
      figures: { ...figuresOf('bare Koa', bare), ...figuresOf('full hit', full) },
      note: `${bodies} from both; must be ${MUST}: ${isHeld ? 'held' : 'NOT HELD'}`,
    }),
    ratioRow({
      name: 'full hit against a key query per request through knex',
      rounds: rates(full),
      baseline: { name: 'knex', rounds: rates(knex) },
      target: { atLeast: 4 },
      figures: figuresOf('knex', knex),
    }),
    ratioRow({
      name: '304 against 200',
      rounds: rates(notModified),
      baseline: { name: 'full hit', rounds: rates(full) },
      target: { atLeast: 1.05 },
      figures: figuresOf('304', notModified),
    }),
    ratioRow({
      name: "p99 of hits against bare Koa's",
      rounds: of(full, 'p99Ms'),
      baseline: { ...baseline, rounds: of(bare, 'p99Ms'), judged: baseline.rounds },
      target: { atMost: 1.5 },
      note: "the ratio of the medians of each round's p99; bare Koa's requests a second say whether the row is void",
    }),
  ]
}
