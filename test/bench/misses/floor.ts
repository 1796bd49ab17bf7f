// The floor (lower bound) of a miss: pgbench prepares and executes the gateway's statement with the same session
// settings, and discards the rows.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SESSION_SETTINGS } from '../../../src/serve/replica/session-settings.ts'
import { sessionOptions } from '../../harness/session-options.ts'
import type { Bench } from '../bench.ts'
import { CORES, pinned, run } from '../commands.ts'
import { median } from '../statistics.ts'
import type { Bound } from '../subject.ts'

/**
 * `auto` shares one plan between organizations once PostgreSQL finds it good enough: faster for small results, whose
 * planning takes longer than execution. One plan per execution is faster for large ones. The faster one is the floor.
 * @see https://www.postgresql.org/docs/current/sql-prepare.html
 */
export type Plans = 'auto' | 'force_custom_plan'

/**
 * pgbench turns each `:name` into another parameter. So only the first `$1` becomes `:v1` and later ones stay `$1`:
 * then pgbench prepares exactly this text.
 * @throws Error if pgbench would read the text differently
 */
export function scriptOf(text: string): string {
  const variable = /(?<!:):[A-Za-z_]\w*/.exec(text)
  if (variable) throw new Error(`pgbench would take ${variable[0]} for a variable`)
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

/** Figures of one response. */
export interface Timed {
  readonly ms: number
  /** CPU time of the server process, without PostgreSQL's. */
  readonly cpuMs: number
}

/** @returns functions that measure the statement, one for each `plan_cache_mode`. */
export function floorsOf(
  bench: Bench,
  { text, values }: Bound,
  transactionCount: number,
  url: string = bench.product.urls.reports,
): Readonly<Record<Plans, () => Promise<Timed>>> {
  const folder = join(bench.folder, `floor-${randomUUID()}`)
  mkdirSync(folder)
  const script = join(folder, 'script.sql')
  writeFileSync(script, scriptOf(text))
  const command = pinned(CORES.load, [
    'pgbench',
    '--no-vacuum',
    '--protocol=prepared',
    `--file=${script}`,
    `--transactions=${transactionCount}`,
    ...values.map((value, at) => `--define=v${at + 1}=${value}`),
    '--log',
    `--log-prefix=${join(folder, 'log')}`,
    url,
  ])
  const { PATH = '', HOME = '' } = process.env
  const floor = (plans: Plans) => async (): Promise<Timed> => {
    const PGOPTIONS = sessionOptions({ ...SESSION_SETTINGS, plan_cache_mode: plans })
    const env = { PATH, HOME, PGSSLMODE: 'disable', PGOPTIONS }
    await run(command, { env, signal: bench.signal })
    const log = readdirSync(folder).find(name => name.startsWith('log')) ?? ''
    const ms = medianMs(readFileSync(join(folder, log), 'utf8'))
    rmSync(join(folder, log))
    return { ms, cpuMs: 0 }
  }
  return { auto: floor('auto'), force_custom_plan: floor('force_custom_plan') }
}

/** Lines of the log are `client transaction microseconds ...`. */
export function medianMs(log: string): number {
  const lines = log.trimEnd().split('\n')
  return median(lines.map(line => Number(line.split(' ')[2]) / 1000))
}

export function fasterFloor(measured: Readonly<Record<Plans, readonly Timed[]>>): readonly Timed[] {
  const { auto, force_custom_plan: custom } = measured
  const middle = (rounds: readonly Timed[]): number => median(rounds.map(({ ms }) => ms))
  return middle(custom) < middle(auto) ? custom : auto
}
