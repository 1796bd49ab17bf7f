// Fills a cluster's database from a folder of SQL files, once: data of this year, made by these files, stay.
// Knows nothing of what the files make.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError, type Client } from 'pg'
import type { Cluster } from './cluster.ts'
import { withClient } from './connection.ts'

export interface SeedOptions {
  /**
   * Holds `schema.sql`, `roles.sql`, `demo/*.sql` and `recommended-indexes.sql`, run in this order; only the first
   * must be there. They find `today` and `scale` in the settings svodka.demo_today and svodka.demo_scale.
   */
  directory: string
  /** The cluster's, unless said. */
  database?: string
  /** The last day that gets data, as YYYY-MM-DD; by default the present one in Kaliningrad. */
  today?: string
  /** How much data, 1 being the demo. */
  scale?: number
  say?: (line: string) => void
  signal?: AbortSignal
}

/**
 * Resolves when the replica shows the data.
 * @returns whether they were made now.
 * @throws Error naming the file that failed, with PostgreSQL's message.
 */
export async function seedDemo(cluster: Cluster, options: SeedOptions): Promise<boolean> {
  const { database = cluster.database, signal } = options
  const url = cluster.urlFor('postgres', 'primary', database)
  const plan = planOf(options)
  if (await isSeeded(url, plan)) return false

  await withClient(cluster.urlFor('postgres', 'primary', 'postgres'), async admin => {
    const name = admin.escapeIdentifier(database)
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name}`)
  })
  await withClient(url, client => seed(client, cluster, plan, options), signal)
  return true
}

interface Plan {
  files: { name: string; sql: string }[]
  today: string
  scale: number
  /** Of all that decides what the data are, but the day in the year. */
  hash: string
}

function planOf({ directory, today, scale = 1 }: SeedOptions): Plan {
  const demo = existsSync(join(directory, 'demo')) ? readdirSync(join(directory, 'demo')) : []
  const names = [
    'schema.sql',
    'roles.sql',
    ...demo
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
  return { files, today: today ?? dateIn('Europe/Kaliningrad'), scale, hash }
}

/** The westernmost of the demo's organizations: none has rows of its tomorrow. Swedish writes dates as ISO 8601 does. */
function dateIn(timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format()
}

/** False too if the database is not there, or was left by a seed that did not end. */
async function isSeeded(url: string, { today, hash }: Plan): Promise<boolean> {
  return withClient(url, async client => {
    const { rowCount } = await client.query(
      'select from svodka_demo.seeded where year = $1 and files_hash = $2',
      [today.slice(0, 4), hash],
    )
    return rowCount === 1
  }).catch(() => false)
}

async function seed(
  client: Client,
  cluster: Cluster,
  plan: Plan,
  options: SeedOptions,
): Promise<void> {
  const { say = () => {} } = options
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    say(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  await client.query(
    "select set_config('svodka.demo_today', $1, false), set_config('svodka.demo_scale', $2, false)",
    [plan.today, String(plan.scale)],
  )
  for (const file of plan.files) await timed(`Ran ${file.name}`, () => runFile(client, file))
  await setPasswords(client, cluster)
  await timed('Vacuumed and analyzed', () => client.query('vacuum (analyze)'))
  await client.query(`
    create schema svodka_demo;
    create table svodka_demo.seeded (year text not null, files_hash text not null);`)
  await client.query('insert into svodka_demo.seeded values ($1, $2)', [
    plan.today.slice(0, 4),
    plan.hash,
  ])
  // Else the standby would begin its next start by replaying the seed once more.
  await client.query('checkpoint')
  await timed('The standby caught up', () => cluster.replicaCaughtUp())
}

async function runFile(
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

/** PostgreSQL's message with the line it speaks of. */
function describe(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError)) return String(error)
  const line = sql.slice(0, Number(error.position ?? 0)).split('\n').length
  const place = error.position === undefined ? (error.where ?? '') : `line ${line}`
  return `${error.message} (${place})`
}

/** The roles that the files made have none, since files are public. */
async function setPasswords(client: Client, cluster: Cluster): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolcanlogin and not rolsuper and not rolreplication',
  )
  for (const { rolname } of rows) {
    const password = client.escapeLiteral(cluster.passwordOf(rolname))
    await client.query(`alter role ${client.escapeIdentifier(rolname)} password ${password}`)
  }
}
