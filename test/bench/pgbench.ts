// Statements by pgbench: the floor, for it throws the rows away.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { need, pinned, run } from './commands.ts'

export interface PgbenchOptions {
  /** Of the database, with user and password. */
  readonly url: string
  /** pgbench's language: `\set`, statements that end in `;`. `:name` is a variable of pgbench, `::type` a cast. */
  readonly script: string
  /** One of these: how long, or how many times each client runs the script. */
  readonly seconds?: number
  readonly transactions?: number
  /** 1 unless said. */
  readonly clients?: number
  readonly protocol?: 'simple' | 'extended' | 'prepared'
  /** Of the session: `{ jit: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
  /** Not pinned unless said. */
  readonly core?: number
}

export interface Pgbench {
  readonly latencyMs: number
  readonly transactionsPerSecond: number
  readonly transactionCount: number
}

/** @throws Error if a statement fails. */
export async function pgbench(bench: Bench, options: PgbenchOptions): Promise<Pgbench> {
  need('pgbench', ...(options.core === undefined ? [] : ['taskset']))
  const { url, script, clients = 1, protocol = 'prepared', settings = {}, variables = {} } = options
  const file = join(bench.folder, `pgbench-${randomUUID()}.sql`)
  writeFileSync(file, script)
  const length =
    options.transactions === undefined
      ? ['-T', String(options.seconds ?? 3)]
      : ['-t', String(options.transactions)]
  const how = ['--no-vacuum', '-M', protocol, '-c', String(clients), '-j', '1']
  const set = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const command = ['pgbench', ...how, ...length, ...set, '-f', file, url]
  const { PATH = '', HOME = '' } = process.env
  const PGOPTIONS = Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`)
    .join(' ')
  const output = await run(options.core === undefined ? command : pinned(options.core, command), {
    env: { PATH, HOME, PGOPTIONS, PGSSLMODE: 'disable' },
    signal: bench.signal,
  })
  return readPgbench(output)
}

export function readPgbench(output: string): Pgbench {
  const of = (pattern: RegExp) => {
    const found = pattern.exec(output)?.[1]
    if (found === undefined) throw new Error(`pgbench does not say ${pattern.source}:\n${output}`)
    return Number(found)
  }
  const failed = /^number of failed transactions: (\d+)/m.exec(output)?.[1] ?? '0'
  if (failed !== '0') throw new Error(`${failed} of pgbench's transactions failed:\n${output}`)
  return {
    latencyMs: of(/^latency average = ([\d.]+) ms/m),
    transactionsPerSecond: of(/^tps = ([\d.]+)/m),
    transactionCount: of(/^number of transactions actually processed: (\d+)/m),
  }
}
