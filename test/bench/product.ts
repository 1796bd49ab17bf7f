// The product's database of a run: a primary and its hot standby of their own, seeded, with who is who in it.
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { withClient } from '../../src/demo/connection.ts'
import { seedDemo } from '../../src/demo/seed.ts'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))

export interface BenchOrganization {
  readonly id: string
  readonly name: string
  readonly timeZone: string
  /** Posted operations dated in the current year. */
  readonly postedThisYear: number
  /** `sk_bench_0001` and the like; valid, and entitled. */
  readonly keys: readonly string[]
}

/** The organizations that rows are about. */
export type BenchName = 'million' | 'two hundred thousand' | 'ten thousand' | 'hundred' | 'large'

export interface ProductDatabase {
  readonly cluster: Cluster
  readonly urls: {
    /** As superuser. */
    readonly primary: string
    /** The standby as superuser. */
    readonly replica: string
    /** The gateway's three roles, on the standby. */
    readonly reports: string
    readonly keys: string
    readonly probe: string
  }
  /** By posted operations of this year; `large` is one of the ordinary kind, with much of everything. */
  readonly named: Readonly<Record<BenchName, BenchOrganization>>
  /** The other 195, 50-fold apart, the smallest first. */
  readonly ordinary: readonly BenchOrganization[]
}

export interface SeedOptions {
  readonly database: string
  /** For a copy of the files that make the data. */
  readonly folder: string
  /** How many rows, 1 being the benchmark's; always 200 organizations and 2,000 keys. */
  readonly scale?: number
  readonly say?: (line: string) => void
  readonly signal?: AbortSignal
}

/** @param options.data for the servers' data; those of an earlier run are used again. The caller stops the cluster. */
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
    ...(signal === undefined ? {} : { signal }),
  })
  started(cluster)
  return seedProduct(cluster, { ...options, database })
}

/** Resolves when the standby shows the data. */
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
  await seedDemo(cluster, {
    directory,
    database,
    scale,
    ...(say === undefined ? {} : { say }),
    ...(signal === undefined ? {} : { signal }),
  })
  const urls = {
    primary: cluster.urlFor('postgres', 'primary', database),
    replica: cluster.urlFor('postgres', 'replica', database),
    reports: cluster.urlFor('svodka_reports', 'replica', database),
    keys: cluster.urlFor('svodka_keys', 'replica', database),
    probe: cluster.urlFor('svodka_probe', 'replica', database),
  }
  return { cluster, urls, ...(await organizationsOf(urls.replica)) }
}

interface Found {
  readonly id: string
  readonly name: string
  readonly time_zone: string
  readonly posted: string
  readonly nickname: BenchName | null
  readonly key_numbers: readonly number[]
}

async function organizationsOf(url: string): Promise<Pick<ProductDatabase, 'named' | 'ordinary'>> {
  const found = await withClient(url, async client => {
    const { rows } = await client.query<Found>(`
      select
        organizations.id,
        organizations.name,
        organizations.time_zone,
        bench_organizations.posted_this_year as posted,
        bench_organizations.nickname,
        array(
          select bench_keys.n from bench.keys as bench_keys where bench_keys.o = bench_organizations.o order by 1
        ) as key_numbers
      from bench.organizations as bench_organizations
      join organizations on organizations.id = bench_organizations.id
      order by bench_organizations.posted_this_year, bench_organizations.o`)
    return rows
  })
  const organizationOf = (row: Found): BenchOrganization => ({
    id: row.id,
    name: row.name,
    timeZone: row.time_zone,
    postedThisYear: Number(row.posted),
    keys: row.key_numbers.map(n => `sk_bench_${String(n).padStart(4, '0')}`),
  })
  const named = (nickname: BenchName) => {
    const row = found.find(row => row.nickname === nickname)
    if (row === undefined) throw new Error(`the seed has no organization '${nickname}'`)
    return organizationOf(row)
  }
  return {
    named: {
      million: named('million'),
      'two hundred thousand': named('two hundred thousand'),
      'ten thousand': named('ten thousand'),
      hundred: named('hundred'),
      large: named('large'),
    },
    ordinary: found.filter(row => row.nickname === null).map(organizationOf),
  }
}
