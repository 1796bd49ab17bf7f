/** What ends a statement where the gateway cannot: its host is gone, and no packet says so. Knows pg. */
import type { ClientBase } from 'pg'
import type { Milliseconds } from '../terms.ts'
import { within } from './pool.ts'

/** Longer than any definition may take, and than its rows take to a reader in a file. */
const CEILING_MS: Milliseconds = 120_000

const SET = `select set_config('statement_timeout', least(
  nullif(extract(epoch from current_setting('statement_timeout')::interval) * 1000, 0), ${CEILING_MS}
)::bigint::text, false)`

const told = new WeakSet<ClientBase>()

/** Once a connection; a role's own that is lower stays. @throws as `within` */
export async function setCeiling(client: ClientBase, timeoutMs: Milliseconds): Promise<void> {
  if (told.has(client)) return
  await within(timeoutMs, client, () => client.query(SET))
  told.add(client)
}
