// The floor of a miss: pgbench prepares and runs the very statement that the gateway runs, in the same session, and
// throws the rows away.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SESSION_SETTINGS } from '../../../src/replica/session-settings.ts'
import { sessionOptions } from '../../support/session-options.ts'
import type { Bench } from '../bench.ts'
import { CORES, need, pinned, run } from '../commands.ts'

/**
 * One plan for all organizations once PostgreSQL finds that good enough, or one for each run: small answers gain by
 * the first, for planning takes longer than running, and large ones by the second. The floor is the faster of both.
 * @see https://www.postgresql.org/docs/current/sql-prepare.html
 */
export type Plans = 'auto' | 'force_custom_plan'

export const PLANS: readonly Plans[] = ['auto', 'force_custom_plan']

export interface FloorOptions {
  readonly url: string
  /** As `scriptOf` writes it, and what else pgbench can do. */
  readonly script: string
  readonly variables: Readonly<Record<string, string>>
  readonly plans: Plans
  readonly connections: number
  /** Of each connection. */
  readonly transactionCount: number
}

export interface Floor {
  /** Of each transaction but a connection's first, which prepares. */
  readonly ms: readonly number[]
  /** From the first transaction's start to the last one's end. */
  readonly seconds: number
}

/**
 * Each `:name` that pgbench meets becomes another parameter, so only the first `$1` is written as a variable, and those
 * after it stay `$1`: then it prepares this text and no other.
 * Its variables are `v1`, `v2`, ...
 *
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

/** `v1`, `v2`, ... as `scriptOf` names them. */
export function variablesOf(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, index) => [`v${index + 1}`, value]))
}

/** @throws Error with what pgbench said, if a statement fails. */
export async function runFloor(bench: Bench, options: FloorOptions): Promise<Floor> {
  need('pgbench', 'taskset')
  const folder = join(bench.folder, `floor-${randomUUID()}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'script.sql'), options.script)
  const { PATH = '', HOME = '' } = process.env
  const command = [
    'pgbench',
    '--no-vacuum',
    '--protocol=prepared',
    `--file=${join(folder, 'script.sql')}`,
    `--client=${options.connections}`,
    `--transactions=${options.transactionCount}`,
    '--log',
    `--log-prefix=${join(folder, 'log')}`,
    ...Object.entries(options.variables).map(([name, value]) => `--define=${name}=${value}`),
    options.url,
  ]
  await run(pinned(CORES.load, command), {
    env: {
      PATH,
      HOME,
      PGSSLMODE: 'disable',
      PGOPTIONS: sessionOptions({ ...SESSION_SETTINGS, plan_cache_mode: options.plans }),
    },
    signal: bench.signal,
  })
  const logs = readdirSync(folder).filter(name => name.startsWith('log'))
  return readLog(logs.map(name => readFileSync(join(folder, name), 'utf8')).join(''))
}

/** Lines are `client transaction microseconds script epochSeconds microsecondsOfThatSecond`. */
function readLog(log: string): Floor {
  let begin = Infinity
  let end = 0
  const ms: number[] = []
  const seen = new Set<string>()
  for (const line of log.trimEnd().split('\n')) {
    const [client = '', , us, , epochSeconds, epochUs] = line.split(' ')
    const endedMs = Number(epochSeconds) * 1000 + Number(epochUs) / 1000
    const tookMs = Number(us) / 1000
    if (seen.has(client)) ms.push(tookMs)
    seen.add(client)
    begin = Math.min(begin, endedMs - tookMs)
    end = Math.max(end, endedMs)
  }
  if (!Number.isFinite(end - begin)) throw new Error(`not a log of pgbench's: ${log.slice(0, 200)}`)
  return { ms, seconds: (end - begin) / 1000 }
}
