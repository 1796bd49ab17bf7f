// The floor of a miss: pgbench prepares and executes the same statement as the gateway, with the same session settings,
// and discards the rows.
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
 * One plan for all organizations once PostgreSQL finds that good enough, or one for each execution: small results gain
 * by the first, for planning takes longer than executing, and large ones by the second. The floor is the faster of both.
 * @see https://www.postgresql.org/docs/current/sql-prepare.html
 */
export type Plans = 'auto' | 'force_custom_plan'

/**
 * Each `:name` that pgbench meets becomes another parameter, so only the first `$1` is written as the variable `v1`, and
 * those after it stay `$1`: then it prepares this text and no other.
 * @throws Error where pgbench would read the text in another way
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
  /** The server's; PostgreSQL's is not in it. */
  readonly cpuMs: number
}

/** The statement with each `plan_cache_mode`. */
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

/** The faster of the two. */
export function fasterFloor(measured: Readonly<Record<Plans, readonly Timed[]>>): readonly Timed[] {
  const { auto, force_custom_plan: custom } = measured
  const middle = (rounds: readonly Timed[]): number => median(rounds.map(({ ms }) => ms))
  return middle(custom) < middle(auto) ? custom : auto
}
