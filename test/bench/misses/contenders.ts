// What runs a register in each round: pgbench, and servers that are asked over one connection.
import type { Bench } from '../bench.ts'
import type { Gateway } from '../gateway.ts'
import { roundsOf } from '../rounds.ts'
import type { Contender } from '../rounds.ts'
import { median } from '../statistics.ts'
import { portOf } from './ask.ts'
import type { Asker } from './ask.ts'
import type { Asked } from './asker.ts'
import { PLANS, runFloor, scriptOf, variablesOf } from './floor.ts'
import type { Plans } from './floor.ts'
import type { Bound, Subject } from './subject.ts'

/** The medians of one round. */
export interface Measured {
  readonly ms: number
  /** The server's, of one answer. */
  readonly cpuMs: number
}

export interface Stage {
  readonly gateway: Gateway
  readonly asker: Asker
}

export function floorOf(
  bench: Bench,
  name: string,
  url: string,
  { text, values }: Bound,
  count: number,
  plans: Plans = 'auto',
): Contender<Measured> {
  const options = {
    url,
    script: scriptOf(text),
    variables: variablesOf(values),
    plans,
    connections: 1,
    transactionCount: count + 1,
  }
  return {
    name,
    measure: async () => ({ ms: median((await runFloor(bench, options)).ms), cpuMs: 0 }),
  }
}

/** Of the statement, in each of PostgreSQL's ways to plan it. */
export function floorsOf(bench: Bench, bound: Bound, count: number): Contender<Measured>[] {
  const { reports } = bench.product.urls
  return PLANS.map(plans => floorOf(bench, nameOfFloor(plans), reports, bound, count, plans))
}

export function nameOfFloor(plans: Plans): string {
  return `pgbench, ${plans === 'auto' ? 'plans as PostgreSQL likes' : 'a plan for each run'}`
}

/** The one of the two that was ahead. */
export function fasterFloor<M>(
  measured: ReadonlyMap<string, readonly M[]>,
  msOf: (round: M) => number,
): { readonly rounds: readonly number[]; readonly figures: Readonly<Record<string, number>> } {
  const floors = PLANS.map(plans => {
    const name = nameOfFloor(plans)
    const rounds = roundsOf(measured, name).map(msOf)
    return { name, rounds, ms: median(rounds) }
  })
  return {
    rounds: floors.toSorted((a, b) => a.ms - b.ms)[0]?.rounds ?? [],
    figures: Object.fromEntries(floors.map(({ name, ms }) => [`${name}, ms`, ms])),
  }
}

export function ofGateway(
  stage: Stage,
  { target, key }: Subject,
  count: number,
): Contender<Measured> {
  const { gateway, asker } = stage
  return timed('gateway', asker, { port: portOf(gateway), target, key }, gateway, count)
}

export function timed(
  name: string,
  asker: Asker,
  asked: Asked,
  server: { cpuMs(): number },
  count: number,
): Contender<Measured> {
  return {
    name,
    async measure() {
      const before = server.cpuMs()
      const { ms } = await asker.time(asked, count)
      return { ms: median(ms), cpuMs: (server.cpuMs() - before) / count }
    },
  }
}
