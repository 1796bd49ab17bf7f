// The demo's organizations on a standby, and what to ask of them.
import type { Cluster } from '../../src/demo/cluster.ts'
import { withClient } from '../../src/demo/connection.ts'

export interface BenchOrganization {
  readonly id: string
  readonly timeZone: string
  /** Valid ones. */
  readonly keys: readonly [string, ...string[]]
}

export interface Product {
  /** On the standby, for a superuser and for the gateway's three roles. */
  readonly urls: Readonly<Record<'replica' | 'reports' | 'keys' | 'probe', string>>
  readonly large: BenchOrganization
  /** The other entitled ones, of similar size. */
  readonly ordinary: readonly BenchOrganization[]
}

/** The demo's keys, and those that `addKeys` adds. */
const KEYS = `
  select
    organizations.id,
    organizations.time_zone,
    organizations.id::text like '%04' as is_large,
    unnest(array[
      case when organizations.id::text like '%04' then 'sk_demo_large'
        else 'sk_' || md5('svodka demo ' || right(organizations.id::text, 12)::integer) end
    ] || array(select 'sk_bench_' || organizations.id || '_' || n from generate_series(1, 40) as n)) as key
  from organizations
  where organizations.tier in ('business', 'enterprise')
    and exists (select from operations where operations.organization_id = organizations.id)`

/** why: with one key for each organization, concurrent requests would share look-ups more often than in production */
export async function addKeys(cluster: Cluster): Promise<void> {
  await withClient(cluster.primaryUrl, client =>
    client.query(`
      insert into api_keys (organization_id, key_sha256, created_at)
      select id, sha256(convert_to(key, 'UTF8')), now() from (${KEYS}) as keyed where key like 'sk_bench_%'
      on conflict do nothing;
      -- why: without it each look-up scans all keys: 440 us of the server for 22 keys, with it 110
      analyze api_keys`),
  )
  await cluster.replicaCaughtUp()
}

export async function productOf(cluster: Cluster): Promise<Product> {
  const onReplica = (role: string): string => cluster.urlFor(role, 'replica')
  const urls = {
    replica: onReplica('postgres'),
    reports: onReplica('svodka_reports'),
    keys: onReplica('svodka_keys'),
    probe: onReplica('svodka_probe'),
  }
  const found = await withClient(urls.replica, async client => {
    const { rows } = await client.query<BenchOrganization & { isLarge: boolean }>(`
      select keyed.id, time_zone as "timeZone", is_large as "isLarge", array_agg(key order by key) as keys
      from (${KEYS}) as keyed
      join api_keys on api_keys.key_sha256 = sha256(convert_to(key, 'UTF8'))
      group by keyed.id, time_zone, is_large
      order by keyed.id`)
    return rows
  })
  const large = found.find(({ isLarge }) => isLarge)
  if (large === undefined) throw new Error('the demo has no large organization')
  return { urls, large, ordinary: found.filter(({ isLarge }) => !isLarge) }
}

/** @returns the first day of the period whose register has that many rows, or the rest of that day more. */
export function firstDayOf(
  { urls }: Product,
  { id }: BenchOrganization,
  rowCount: number,
): Promise<string> {
  return withClient(urls.replica, async client => {
    const { rows } = await client.query<{ day: string }>(
      `select operation_date::text as day from operations
       where organization_id = $1 and status = 'posted'
       order by operation_date desc offset $2 limit 1`,
      [id, rowCount - 1],
    )
    if (rows[0] !== undefined) return rows[0].day
    throw new Error(`${id} has fewer than ${rowCount} operations`)
  })
}
