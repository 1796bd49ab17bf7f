// Runs the checks of `svodka check` on the shared cluster's standby, for the demo's organizations.
import type { AskReplica } from '../../src/author/check/check.ts'
import { createReplicaCheck } from '../../src/author/check/on-replica.ts'
import { nicknamed } from '../../src/author/commands/organization.ts'
import { createPool } from '../../src/serve/database/pool.ts'
import { LAST_TWELVE_MONTHS } from '../harness/last-twelve-months.ts'
import { ourCatalog } from '../sql/subject.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { tenancyIn } from './corpus.ts'

/** Registers hooks. @param nicknames of the organizations to check; fewer are faster and find less */
export function useStandbyCheck(nicknames?: readonly string[]): { readonly ask: AskReplica } {
  let standby: Awaited<ReturnType<typeof askStandby>> | undefined
  before(async () => {
    standby = await askStandby(nicknames)
  })
  after(() => standby?.close())
  const findTable: AskReplica['findTable'] = relation => standby!.ask.findTable?.(relation)
  const ask: AskReplica = (...args) => standby!.ask(...args)
  return { ask: Object.assign(ask, { findTable }) }
}

async function askStandby(
  nicknames: readonly string[] = ['business', 'empty', 'large', 'vladivostok'],
): Promise<{ ask: AskReplica; close: () => Promise<void> }> {
  const cluster = await sharedCluster()
  const catalog = ourCatalog()
  const keys = {
    keysDatabaseUrls: [cluster.urlFor('svodka_keys', 'replica')],
    connectTimeoutMs: 5000,
  }
  const all = await nicknamed(keys, catalog)
  const organizations = all.filter(({ nickname = '' }) => nicknames.includes(nickname))
  const pool = createPool({
    name: 'reports',
    connectionString: cluster.urlFor('svodka_reports', 'replica'),
    max: 1,
    connectTimeoutMs: 5000,
    observe: () => {},
  })
  const client = await pool.connect()
  const ask = await createReplicaCheck({
    clients: [client],
    organizations,
    tenancy: tenancyIn(),
    // why: findings name the first period that has them, and of the current year rows may be missing
    now: () => Date.UTC(Number(LAST_TWELVE_MONTHS.to.slice(0, 4)) - 1, 11, 31, 12),
  })
  return {
    ask,
    close: async () => {
      client.release(true)
      await pool.end()
    },
  }
}
