// Fills a cluster's database from a folder of SQL files. Data of this year from the same files are reused.
// Does not know the content of the files.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError, type Client } from 'pg'
import type { Cluster } from './cluster.ts'
import { withClient } from './connection.ts'

export interface SeedOptions {
  /**
   * Contains `schema.sql`, `roles.sql`, `demo/*.sql` and `recommended-indexes.sql`, executed in this order; only the
   * first is required. The files read `today` and `scale` from svodka.demo_today and svodka.demo_scale.
   */
  directory: string
  /** Default: the cluster's database. */
  database?: string
  /** Last day with data, as YYYY-MM-DD; default: today in Kaliningrad, the westernmost zone (no row in the future). */
  today?: string
  /** Amount of data; default 1. */
  scale?: number
  say?: (line: string) => void
  signal?: AbortSignal
}

/**
 * Resolves when the replica has the data.
 * @returns whether the data are new.
 * @throws Error naming the file that failed, with PostgreSQL's message.
 */
export async function seedDemo(cluster: Cluster, options: SeedOptions): Promise<boolean> {
  const { database = cluster.database, say = () => {}, signal } = options
  const url = cluster.urlFor('postgres', 'primary', database)
  const input = readInput(options)
  const lastDay = await lastDayOfSeed(url, input)
  if (lastDay !== undefined) {
    const age = ageOf(lastDay, input.today)
    const hint = lastDay === input.today ? '' : `; to renew them, stop and rm -rf ${cluster.folder}`
    say(`The demo data are there from an earlier start; they end on ${lastDay}, ${age}${hint}`)
    return false
  }

  await withClient(cluster.urlFor('postgres', 'primary', 'postgres'), async admin => {
    const name = admin.escapeIdentifier(database)
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name}`)
  })
  await withClient(url, client => seed(client, cluster, input, options), signal)
  return true
}

interface SeedInput {
  files: { name: string; sql: string }[]
  today: string
  scale: number
  /** Of `files` and `scale`. */
  hash: string
}

function readInput({ directory, today, scale = 1 }: SeedOptions): SeedInput {
  const demoFiles = existsSync(join(directory, 'demo')) ? readdirSync(join(directory, 'demo')) : []
  const names = [
    'schema.sql',
    'roles.sql',
    ...demoFiles
      .filter(name => name.endsWith('.sql'))
      .toSorted()
      .map(name => `demo/${name}`),
    'recommended-indexes.sql',
  ]
  const files = names
    .filter(name => name === 'schema.sql' || existsSync(join(directory, name)))
    .map(name => ({ name, sql: readFileSync(join(directory, name), 'utf8') }))
  const hash = createHash('sha256')
    .update(JSON.stringify([files, scale]))
    .digest('hex')
  // Swedish dates are written as YYYY-MM-DD.
  const current = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Kaliningrad' }).format()
  return { files, today: today ?? current, scale, hash }
}

/** Undefined if there is no seed of this year from the same files, or if it did not complete. */
async function lastDayOfSeed(url: string, { today, hash }: SeedInput): Promise<string | undefined> {
  return withClient(url, async client => {
    const { rows } = await client.query<{ last_day: string }>(
      'select last_day from svodka_demo.seeded where left(last_day, 4) = $1 and files_hash = $2',
      [today.slice(0, 4), hash],
    )
    return rows[0]?.last_day
  }).catch(() => undefined)
}

/** `today`, `yesterday`, `3 days ago`. */
function ageOf(day: string, today: string): string {
  const days = (Date.parse(day) - Date.parse(today)) / 86_400_000
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(days, 'day')
}

async function seed(
  client: Client,
  cluster: Cluster,
  input: SeedInput,
  options: SeedOptions,
): Promise<void> {
  const { say = () => {} } = options
  const logTime = async (step: string, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    say(`${step}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  await client.query(
    "select set_config('svodka.demo_today', $1, false), set_config('svodka.demo_scale', $2, false)",
    [input.today, String(input.scale)],
  )
  for (const file of input.files) await logTime(`Ran ${file.name}`, () => executeFile(client, file))
  await setPasswords(client, cluster)
  await logTime('Vacuumed and analyzed', () => client.query('vacuum (analyze)'))
  await client.query(`
    create schema svodka_demo;
    create table svodka_demo.seeded (last_day text not null, files_hash text not null);`)
  await client.query('insert into svodka_demo.seeded values ($1, $2)', [input.today, input.hash])
  // why: without a checkpoint, the standby replays the seed again at its next start
  await client.query('checkpoint')
  await logTime('The standby caught up', () => cluster.replicaCaughtUp())
}

async function executeFile(
  client: Client,
  { name, sql }: { name: string; sql: string },
): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('commit')
  } catch (cause) {
    throw new Error(`${name}: ${describe(cause, sql)}`, { cause })
  }
}

/** PostgreSQL's message with the line number or the context. */
function describe(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError)) return String(error)
  const line = sql.slice(0, Number(error.position ?? 0)).split('\n').length
  const position = error.position === undefined ? (error.where ?? '') : `line ${line}`
  return `${error.message} (${position})`
}

/** The passwords of the roles are not in the files, which are public. */
async function setPasswords(client: Client, cluster: Cluster): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolcanlogin and not rolsuper and not rolreplication',
  )
  for (const { rolname } of rows) {
    const password = client.escapeLiteral(cluster.passwordOf(rolname))
    await client.query(`alter role ${client.escapeIdentifier(rolname)} password ${password}`)
  }
}
