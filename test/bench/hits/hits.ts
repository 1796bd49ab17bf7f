// Requests whose answers are kept, against Koa alone and against the ordinary way to check a key.
import { need } from '../commands.ts'
import { ratioRow } from '../ratio-row.ts'
import { interleaved, roundsOf } from '../rounds.ts'
import type { Group, Row } from '../row.ts'
import { median, ratioOf } from '../statistics.ts'
import { contenders, NAMES } from './contenders.ts'
import type { Round } from './contenders.ts'

const MUST = 0.7
const REACH = 0.8

export const hits: Group = {
  name: 'hits',
  async rows(bench) {
    need('wrk', 'taskset')
    const seconds = bench.quick ? 2 : 3
    return rowsOf(
      await interleaved(await contenders(bench, seconds), {
        rounds: bench.quick ? 3 : 5,
        progress: words => bench.progress(`hits: ${words}`),
        signal: bench.signal,
      }),
    )
  },
}

function rowsOf(measured: ReadonlyMap<string, readonly Round[]>): Row[] {
  const of = (name: string, figure: keyof Round) =>
    roundsOf(measured, name).map(round => round[figure])
  const rates = (name: string) => of(name, 'requestsPerSecond')
  const figures = (...names: readonly string[]) =>
    Object.fromEntries(names.flatMap(name => figuresOf(name, roundsOf(measured, name))))
  const bare = {
    name: NAMES.bare,
    rounds: rates(NAMES.bare),
    cpuShares: of(NAMES.bare, 'cpuShare'),
  }
  const bodies = `answers of about ${Math.round(median(of(NAMES.full, 'bytesPerRequest')) / 1000)} KB`
  const held = ratioOf(rates(NAMES.full), bare.rounds).value >= MUST
  return [
    ratioRow({
      name: 'full hit against bare Koa',
      rounds: rates(NAMES.full),
      baseline: bare,
      target: { atLeast: REACH },
      figures: figures(NAMES.bare, NAMES.full),
      note: `${bodies} from both; must be ${MUST}: ${held ? 'held' : 'NOT HELD'}`,
    }),
    ratioRow({
      name: 'full hit against a key query per request through knex',
      rounds: rates(NAMES.full),
      baseline: { name: NAMES.knex, rounds: rates(NAMES.knex) },
      target: { atLeast: 4 },
      figures: figures(NAMES.knex),
      note: `${bodies} from both`,
    }),
    ratioRow({
      name: '304 against 200',
      rounds: rates(NAMES.notModified),
      baseline: { name: NAMES.full, rounds: rates(NAMES.full) },
      target: { atLeast: 1.05 },
      figures: figures(NAMES.notModified),
      note: `no body against ${bodies}`,
    }),
    ratioRow({
      name: "p99 of hits against bare Koa's",
      rounds: of(NAMES.full, 'p99Ms'),
      baseline: { ...bare, rounds: of(NAMES.bare, 'p99Ms'), judged: bare.rounds },
      target: { atMost: 1.5 },
      note: `${bodies} from both, 64 connections; the ratio of the medians of each round's p99; a p99 wavers by nature, so bare Koa's requests a second say whether the row is void`,
    }),
  ]
}

function figuresOf(name: string, rounds: readonly Round[]): [string, number][] {
  const of = (figure: keyof Round) => median(rounds.map(round => round[figure]))
  return [
    [`${name}, req/s`, Math.round(of('requestsPerSecond'))],
    [`${name}, CPU us a request`, Number(of('cpuUsPerRequest').toFixed(1))],
    [`${name}, share of its core`, Number(of('cpuShare').toFixed(2))],
    [`${name}, p50 ms`, of('p50Ms')],
    [`${name}, p99 ms`, of('p99Ms')],
    [`${name}, bytes a request`, Math.round(of('bytesPerRequest'))],
  ]
}
