// The product database of a benchmark run: a separate primary and hot standby with data, its organizations and keys.
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { withClient } from '../../src/demo/connection.ts'
import { seedDemo } from '../../src/demo/seed.ts'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))

export interface BenchOrganization {
  readonly id: string
  readonly timeZone: string
  /** Posted operations dated in the current year. */
  readonly postedThisYear: number
  /** Such as `sk_bench_0001`. All are valid and entitled. */
  readonly keys: readonly string[]
}

/** Organizations that single rows of the table use. */
export type BenchName = 'million' | 'two hundred thousand' | 'ten thousand' | 'hundred' | 'large'

export interface ProductDatabase {
  readonly cluster: Cluster
  /** `primary` and `replica` are for a superuser; the others are for the gateway's three roles, on the standby. */
  readonly urls: Readonly<Record<'primary' | 'replica' | 'reports' | 'keys' | 'probe', string>>
  /** By their posted operations of this year; `large` is like the ordinary ones, with many rows in every table. */
  readonly named: Readonly<Record<BenchName, BenchOrganization>>
  /** The other 195, smallest first; their sizes differ up to 50-fold. */
  readonly ordinary: readonly BenchOrganization[]
}

export interface SeedOptions {
  readonly database: string
  /** For a copy of the seed files. */
  readonly folder: string
  /** Factor for the number of rows, 1 in the benchmark; there are always 200 organizations and 2,000 keys. */
  readonly scale?: number
  readonly say?: (line: string) => void
  readonly signal?: AbortSignal
}

/** @param options.data folder of the servers' data, which later runs reuse. The caller stops the cluster. */
export async function startProduct(
  options: Omit<SeedOptions, 'database'> & { readonly data: string },
  started: (cluster: Cluster) => void,
): Promise<ProductDatabase> {
  const { data, signal } = options
  const database = 'svodka_bench'
  const cluster = await startCluster({
    directory: data,
    database,
    settings: {
      shared_buffers: '1GB',
      max_wal_size: '32GB',
      checkpoint_timeout: '1h',
      synchronous_commit: 'off',
      autovacuum: 'off',
      max_parallel_maintenance_workers: '2',
      maintenance_work_mem: '1GB',
    },
    ...(signal && { signal }),
  })
  started(cluster)
  return seedProduct(cluster, { ...options, database })
}

/** Resolves when the standby has replayed the data. */
export async function seedProduct(
  cluster: Cluster,
  options: SeedOptions,
): Promise<ProductDatabase> {
  const { database, folder, scale = 1, say, signal } = options
  const directory = join(folder, 'seed')
  mkdirSync(directory, { recursive: true })
  for (const name of ['schema.sql', 'roles.sql', 'recommended-indexes.sql']) {
    cpSync(`${checkout}/sql/product/${name}`, join(directory, name))
  }
  cpSync(`${checkout}/test/bench/seed`, join(directory, 'demo'), { recursive: true })
  const callbacks = { ...(say && { say }), ...(signal && { signal }) }
  await seedDemo(cluster, { directory, database, scale, ...callbacks })
  const onReplica = (role: string): string => cluster.urlFor(role, 'replica', database)
  const urls = {
    primary: cluster.urlFor('postgres', 'primary', database),
    replica: onReplica('postgres'),
    reports: onReplica('svodka_reports'),
    keys: onReplica('svodka_keys'),
    probe: onReplica('svodka_probe'),
  }
  return { cluster, urls, ...(await organizationsOf(urls.replica)) }
}

async function organizationsOf(url: string): Promise<Pick<ProductDatabase, 'named' | 'ordinary'>> {
  const rows = await withClient(url, async client => {
    const found = await client.query<BenchOrganization & { nickname: BenchName | null }>(`
      select
        id,
        time_zone as "timeZone",
        posted_this_year as "postedThisYear",
        nickname,
        array(select 'sk_bench_' || lpad(n::text, 4, '0') from bench.keys where keys.o = sized.o order by n) as keys
      from bench.organizations as sized
      join organizations using (id)
      order by posted_this_year, o`)
    return found.rows
  })
  const named: Partial<Record<BenchName, BenchOrganization>> = {}
  for (const row of rows) if (row.nickname !== null) named[row.nickname] = row
  const ordinary = rows.filter(({ nickname }) => nickname === null)
  return { named: named as ProductDatabase['named'], ordinary }
}
