// A second product on the shared cluster: test/fixtures/shops, with integer organization ids.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { Cluster } from '../../src/demo/cluster.ts'
import { sharedCluster } from './cluster.ts'

const folder = fileURLToPath(new URL('../../../test/fixtures/shops', import.meta.url))

export const SHOPS_SQL_DIR = `${folder}/sql`

export interface Shops {
  readonly cluster: Cluster
  /** As superuser. */
  readonly primaryUrl: string
  readonly replicaUrl: string
  /** Runs on the primary and waits until the replica shows it. */
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
  const cluster = await sharedCluster()
  await run(cluster.primaryUrl, 'drop database if exists shops')
  await run(cluster.primaryUrl, 'create database shops')
  const primaryUrl = inShops(cluster.primaryUrl)
  const change = async (sql: string): Promise<void> => {
    await run(primaryUrl, sql)
    await cluster.replicaCaughtUp()
  }
  await change(readFileSync(`${folder}/schema.sql`, 'utf8'))
  return { cluster, primaryUrl, replicaUrl: inShops(cluster.replicaUrl), change }
}

function inShops(url: string): string {
  return Object.assign(new URL(url), { pathname: '/shops' }).href
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
