// Other servers with the same data and the same report: how much faster the gateway answers.
import { valueOf } from '../../../src/demo/connection.ts'
import { Missing } from '../bench.ts'
import type { Bench } from '../bench.ts'
import { need } from '../commands.ts'
import { startGateway, type Gateway } from '../gateway.ts'
import { ratioRow } from '../ratio-row.ts'
import type { Group, Row } from '../row.ts'
import { median } from '../statistics.ts'
import { compareAnswers } from './answers.ts'
import { directus } from './directus.ts'
import { duel, type Duel, type Measured } from './duel.ts'
import { postgraphile } from './postgraphile.ts'
import { registerQuestion, smallQuestions, type Question } from './questions.ts'
import type { RivalKind } from './rival.ts'

const TARGETS = { hit: { atLeast: 60 }, uncached: { atLeast: 2.5 }, register: { atLeast: 1.8 } }

export const rivals: Group = {
  name: 'rivals',
  async rows(bench) {
    need('wrk', 'taskset')
    const questions = await questionsOf(bench)
    const gateway = await startGateway(bench)
    const rows: Row[] = []
    // Directus takes minutes to install.
    for (const kind of bench.quick ? [postgraphile] : [postgraphile, directus]) {
      rows.push(...(await rowsAgainst(bench, gateway, kind, questions)))
    }
    await gateway.stop()
    return rows
  },
}

interface Questions {
  readonly small: readonly Question[]
  readonly register: Question
}

async function questionsOf({ product }: Bench): Promise<Questions> {
  const today = await valueOf(product.urls.replica, 'select bench.today()')
  if (today === null) throw new Error('the data have no last day')
  return { small: smallQuestions(product, today), register: registerQuestion(product, today) }
}

async function rowsAgainst(
  bench: Bench,
  gateway: Gateway,
  kind: RivalKind,
  { small, register }: Questions,
): Promise<Row[]> {
  try {
    bench.progress(`rivals: ${kind.name}`)
    const rival = await kind.start(bench, [...small, register])
    try {
      await compareAnswers(gateway, rival, [...small, register])
      return rowsOf(kind, await duel(bench, gateway, rival, small, register))
    } finally {
      await rival.stop()
    }
  } catch (error) {
    bench.signal.throwIfAborted()
    return unmeasured(kind, error)
  }
}

function names({ name }: RivalKind) {
  return {
    hit: `kept report against ${name}`,
    uncached: `uncached report against ${name}`,
    register: `10,000 rows against ${name}`,
  }
}

function rowsOf(kind: RivalKind, measured: Duel): Row[] {
  const { name, note } = kind
  const perSecond = (rounds: readonly Measured[]) =>
    rounds.map(({ requestsPerSecond }) => requestsPerSecond)
  // why the median: of the last request wrk tells nothing, and there are few of them
  const oneByOne = (rounds: readonly Measured[]) => rounds.map(({ p50Ms }) => 1000 / p50Ms)
  const small = { name, rounds: perSecond(measured.rival) }
  const smallFigures = (ours: readonly Measured[]) => ({
    ...figures('gateway', ours),
    ...figures(name, measured.rival),
  })
  return [
    ratioRow({
      name: names(kind).hit,
      rounds: perSecond(measured.hit),
      baseline: small,
      target: TARGETS.hit,
      figures: smallFigures(measured.hit),
      note,
    }),
    ratioRow({
      name: names(kind).uncached,
      rounds: perSecond(measured.uncached),
      baseline: small,
      target: TARGETS.uncached,
      figures: smallFigures(measured.uncached),
      note,
    }),
    ratioRow({
      name: names(kind).register,
      rounds: oneByOne(measured.register),
      baseline: { name, rounds: oneByOne(measured.rivalRegister) },
      target: TARGETS.register,
      figures: {
        ...figures('gateway', measured.register),
        ...figures(name, measured.rivalRegister),
      },
      note,
    }),
  ]
}

function figures(name: string, rounds: readonly Measured[]): Record<string, number> {
  const of = (value: (round: Measured) => number) =>
    Number(median(rounds.map(value)).toPrecision(4))
  return {
    [`${name}, req/s`]: of(round => round.requestsPerSecond),
    [`${name}, p50 ms`]: of(round => round.p50Ms),
    [`${name}, p99 ms`]: of(round => round.p99Ms),
    [`${name}, CPU us`]: of(round => round.cpuUsPerRequest),
    [`${name}, bytes`]: of(round => round.bytesPerRequest),
  }
}

/** It cannot be had, or it broke off: each of its rows says so. */
function unmeasured(kind: RivalKind, error: unknown): Row[] {
  const reason = error instanceof Error ? error.message : String(error)
  const { hit, uncached, register } = names(kind)
  return (
    [
      [hit, TARGETS.hit],
      [uncached, TARGETS.uncached],
      [register, TARGETS.register],
    ] as const
  ).map(([name, target]) => ({
    name,
    value: undefined,
    unit: 'x',
    target,
    figures: {},
    ...(error instanceof Missing ? { note: reason } : { broke: reason }),
  }))
}
