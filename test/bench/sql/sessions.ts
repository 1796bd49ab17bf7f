// Sessions as the gateway's reports have them, each on a schema of its own.
import { Client } from 'pg'
import { STATEMENT_SETTINGS } from '../../../src/replica/session-settings.ts'
import { sessionOptions } from '../../support/session-options.ts'
import type { Bench } from '../bench.ts'

/** For gigabytes of copies. */
export const CAUGHT_UP_MS = 120_000

const SETTINGS = {
  ...STATEMENT_SETTINGS,
  // why: a statement has one process, as it has where many are asked at once; else two cores hide half of a slow one
  max_parallel_workers_per_gather: '0',
  statement_timeout: '120s',
}

/** As its owner on the primary. */
export function connectAsOwner(bench: Bench): Promise<Client> {
  return connected(bench.product.urls.primary, SETTINGS, bench)
}

/** As reports are run: on the standby, as the role of reports. */
export function connectOn(schema: string, bench: Bench): Promise<Client> {
  return connected(bench.product.urls.reports, { ...SETTINGS, search_path: schema }, bench)
}

async function connected(
  connectionString: string,
  settings: Readonly<Record<string, string>>,
  bench: Bench,
): Promise<Client> {
  const options = sessionOptions(settings)
  const client = new Client({ connectionString, options })
  await client.connect()
  bench.onEnd(() => client.end())
  return client
}
