// What `svodka check` asks, of the shared cluster's standby and its demo's organizations.
import { isValidRow } from '../../src/serve/access/invalid-access-row.ts'
import type { AskReplica } from '../../src/author/check/check.ts'
import { createReplicaCheck } from '../../src/author/check/on-replica.ts'
import { createSystemClock } from '../../src/model/clock.ts'
import { findOrganizations } from '../../src/author/commands/organizations.ts'
import { createPool } from '../../src/serve/replica/pool.ts'
import { ourCatalog } from '../sql/subject.ts'
import { sharedCluster } from '../harness/cluster.ts'

/** @param nicknames of the organizations to ask for; fewer are faster, and see less */
export async function askStandby(
  nicknames = ['business', 'empty', 'large', 'vladivostok'],
): Promise<{ ask: AskReplica; close: () => Promise<void> }> {
  const cluster = await sharedCluster()
  const catalog = ourCatalog()
  if (catalog.organizations === undefined) throw new Error('no organizations.sql')
  const now = createSystemClock()
  const found = await findOrganizations({
    connectionString: cluster.urlFor('svodka_keys', 'replica'),
    timeoutMs: 5000,
    definition: catalog.organizations,
    name: undefined,
    now,
  })
  const organizations = found
    .filter(isValidRow)
    .filter(({ nickname = '' }) => nicknames.includes(nickname))
  const pool = createPool({
    name: 'reports',
    connectionString: cluster.urlFor('svodka_reports', 'replica'),
    max: 1,
    connectTimeoutMs: 5000,
    observe: () => {},
  })
  const client = await pool.connect()
  const ask = await createReplicaCheck({ client, organizations, catalog, now })
  return {
    ask,
    close: async () => {
      client.release(true)
      await pool.end()
    },
  }
}
