// A second product on the shared cluster: test/fixtures/shops, with integer organization ids.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { Cluster } from '../../src/demo/cluster.ts'
import { sharedCluster } from './cluster.ts'
import { createTestDatabase } from './test-database.ts'
import { until } from './until.ts'

const folder = fileURLToPath(new URL('../../../test/fixtures/shops', import.meta.url))

export const SHOPS_SQL_DIR = `${folder}/sql`

export interface Shops {
  readonly cluster: Cluster
  /** URL as superuser. */
  readonly primaryUrl: string
  readonly replicaUrl: string
  /** Executes on the primary and waits until the replica has replayed it. */
  change(sql: string): Promise<void>
}

/** Settings for a gateway in front of the shops' replica. */
export function shopsEnvironment(shops: Shops): NodeJS.ProcessEnv {
  return { DATABASE_URL: shops.replicaUrl, SQL_DIR: SHOPS_SQL_DIR }
}

let made: Promise<Shops> | undefined

export function sharedShops(): Promise<Shops> {
  made ??= make()
  return made
}

async function make(): Promise<Shops> {
  const schema = readFileSync(`${folder}/schema.sql`, 'utf8')
  return { cluster: await sharedCluster(), ...(await createTestDatabase('shops', schema)) }
}

/** @returns the rows of the last statement. */
export async function run<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const results = await client.query<Row>(sql)
    return [results].flat().at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}

/** Backends that execute reports. */
export async function executingPids({ replicaUrl }: Shops): Promise<number[]> {
  const rows = await run<{ pid: number }>(
    replicaUrl,
    `select pid from pg_stat_activity
     where application_name = 'svodka reports' and state = 'active' and datname = 'shops'`,
  )
  return rows.map(({ pid }) => pid)
}

export const untilExecuting = (shops: Shops, count: number): Promise<unknown> =>
  until(async () => (await executingPids(shops)).length === count)
