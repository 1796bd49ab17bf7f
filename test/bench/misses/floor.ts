// The floor of a miss: pgbench prepares and runs the very statement that the gateway runs, in the same session, and
// throws the rows away.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SESSION_SETTINGS } from '../../../src/replica/session-settings.ts'
import { sessionOptions } from '../../support/session-options.ts'
import type { Bench } from '../bench.ts'
import { CORES, pinned, run } from '../commands.ts'
import { median } from '../statistics.ts'
import type { Bound } from '../subject.ts'

/**
 * One plan for all organizations once PostgreSQL finds that good enough, or one for each execution: small results gain
 * by the first, for planning takes longer than executing, and large ones by the second. The floor is the faster of both.
 * @see https://www.postgresql.org/docs/current/sql-prepare.html
 */
const PLANS = ['auto', 'force_custom_plan'] as const
export type Plans = (typeof PLANS)[number]

/**
 * Each `:name` that pgbench meets becomes another parameter, so only the first `$1` is written as the variable `v1`, and
 * those after it stay `$1`: then it prepares this text and no other.
 * @throws Error where pgbench would read the text in another way
 */
export function scriptOf(text: string): string {
  refuseVariables(text)
  let last = 0
  const script = text.replaceAll(/\$(\d+)/g, (parameter, digits: string) => {
    const n = Number(digits)
    if (n <= last) return parameter
    if (n > last + 1) throw new Error(`${parameter} comes before $${last + 1}`)
    last = n
    return `:v${n}`
  })
  return `${script}\n;\n`
}

/** @throws Error where pgbench would see a variable in SQL that is meant to have none. @see pgbench, "Variables" */
export function refuseVariables(text: string): void {
  const variable = /(?<!:):[A-Za-z_]\w*/.exec(text)
  if (variable) throw new Error(`pgbench would take ${variable[0]} for a variable`)
}

/** Of one response, or of all of a storm. */
export interface Timed {
  readonly ms: number
  /** The server's; PostgreSQL's is not in it. */
  readonly cpuMs: number
}

export interface Pgbench {
  readonly url: string
  /** As `scriptOf` writes it, and what else pgbench can do. */
  readonly script: string
  readonly variables: Readonly<Record<string, string>>
  readonly plans: Plans
  readonly connections: number
  /** Of each connection. */
  readonly transactionCount: number
}

/** @returns of all transactions: the median, and from the first one's start to the last one's end. */
export async function pgbench(
  bench: Bench,
  { url, script, variables, plans, connections, transactionCount }: Pgbench,
): Promise<{ readonly medianMs: number; readonly seconds: number }> {
  const folder = join(bench.folder, `floor-${randomUUID()}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'script.sql'), script)
  const { PATH = '', HOME = '' } = process.env
  const settings = { ...SESSION_SETTINGS, plan_cache_mode: plans }
  await run(
    pinned(CORES.load, [
      'pgbench',
      '--no-vacuum',
      '--protocol=prepared',
      `--file=${join(folder, 'script.sql')}`,
      `--client=${connections}`,
      `--transactions=${transactionCount}`,
      '--log',
      `--log-prefix=${join(folder, 'log')}`,
      ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
      url,
    ]),
    {
      env: { PATH, HOME, PGSSLMODE: 'disable', PGOPTIONS: sessionOptions(settings) },
      signal: bench.signal,
    },
  )
  const logs = readdirSync(folder).filter(name => name.startsWith('log'))
  return readLog(logs.map(name => readFileSync(join(folder, name), 'utf8')).join(''))
}

/** Lines are `client transaction microseconds script epochSeconds microsecondsOfThatSecond`. */
export function readLog(log: string): { readonly medianMs: number; readonly seconds: number } {
  const transactions = log
    .trimEnd()
    .split('\n')
    .map(line => line.split(' ').map(Number))
    .map(([, , us = 0, , seconds = 0, ofSecondUs = 0]) => ({
      ms: us / 1000,
      endedMs: seconds * 1000 + ofSecondUs / 1000,
    }))
  const begin = Math.min(...transactions.map(({ ms, endedMs }) => endedMs - ms))
  const end = Math.max(...transactions.map(({ endedMs }) => endedMs))
  return { medianMs: median(transactions.map(({ ms }) => ms)), seconds: (end - begin) / 1000 }
}

/** The statement in each of PostgreSQL's ways to plan it. */
export function floorsOf(
  bench: Bench,
  { text, values }: Bound,
  transactionCount: number,
  url: string = bench.product.urls.reports,
): Readonly<Record<Plans, () => Promise<Timed>>> {
  const variables = Object.fromEntries(values.map((value, at) => [`v${at + 1}`, value]))
  const script = scriptOf(text)
  const floor = (plans: Plans) => async (): Promise<Timed> => {
    const options = { url, script, variables, plans, connections: 1, transactionCount }
    return { ms: (await pgbench(bench, options)).medianMs, cpuMs: 0 }
  }
  return { auto: floor('auto'), force_custom_plan: floor('force_custom_plan') }
}

/** The milliseconds of the one of the two that was ahead. */
export function fasterFloor(measured: Readonly<Record<Plans, readonly Timed[]>>): number[] {
  const [auto = [], custom = []] = PLANS.map(plans => measured[plans].map(({ ms }) => ms))
  return median(custom) < median(auto) ? custom : auto
}
