/** Shared by tests of the catalogue: definitions, and a database with the demo's data. */
import { fileURLToPath } from 'node:url'
import { DatabaseClient } from '../../src/serve/database/database-client.ts'
import type { Catalog } from '../../src/definitions/definition.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { STATEMENT_SETTINGS } from '../../src/serve/database/session-settings.ts'
import type { Clock } from '../../src/model/terms.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { sessionOptions } from '../harness/session-options.ts'
import { addDays, localDate, microseconds } from './oracles/calendar.ts'
import type { Question } from './oracles/oracle.ts'

const CATALOGUE = fileURLToPath(new URL('../../../sql', import.meta.url))
const OURS = await loadCatalog(CATALOGUE, parseSql)

export function ourCatalog(): Catalog {
  return OURS
}

/** As in production: on the standby, as the reports role. */
export async function connectAsReports(): Promise<DatabaseClient> {
  const cluster = await sharedCluster()
  return connected(cluster.urlFor('svodka_reports', 'replica'))
}

/** For tests that insert rows in a transaction and roll it back. */
export async function connectAsOwner(): Promise<DatabaseClient> {
  const cluster = await sharedCluster()
  return connected(cluster.urlFor('postgres', 'primary'))
}

/** With the gateway's session settings, which affect results and plans. */
export async function connected(connectionString: string): Promise<DatabaseClient> {
  const options = sessionOptions(STATEMENT_SETTINGS)
  const client = new DatabaseClient({ connectionString, options })
  await client.connect()
  return client
}

/** Demo organizations by purpose. */
export const DEMO_ORGANIZATIONS = [
  { name: 'the median organization', id: demoId(1), timeZone: 'Europe/Moscow' },
  { name: 'the one in Vladivostok', id: demoId(2), timeZone: 'Asia/Vladivostok' },
  { name: 'the empty one', id: demoId(3), timeZone: 'Europe/Moscow' },
  { name: 'the large one', id: demoId(4), timeZone: 'Europe/Moscow' },
  { name: 'the one in Kaliningrad', id: demoId(6), timeZone: 'Europe/Kaliningrad' },
] as const

function demoId(number: number): string {
  return `5d0a0000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** Periods before, around and after today. */
export function questions(clock: Clock, timeZone: string) {
  const now = new Date(clock()).toISOString()
  const today = localDate(microseconds(now), timeZone)
  const year = Number(today.slice(0, 4))
  const month = today.slice(0, 7)
  const ask = (name: string, start: string, end: string) => {
    const question: Question = { period: { start, end }, today, now, timeZone }
    return { name, question }
  }
  return [
    ask('this year', `${year}-01-01`, `${year + 1}-01-01`),
    ask('last year', `${year - 1}-01-01`, `${year}-01-01`),
    ask('a month', `${year - 1}-03-01`, `${year - 1}-04-01`),
    ask('one day', `${year}-02-10`, `${year}-02-11`),
    ask('today', today, addDays(today, 1)),
    ask('days on both sides of today', addDays(today, -9), addDays(today, 17)),
    ask('the rest of the month', addDays(today, 1), addDays(`${month}-28`, 5)),
    ask('New Year', `${year - 1}-12-31`, `${year}-01-02`),
    ask('a future year', `${year + 1}-01-01`, `${year + 2}-01-01`),
    ask('before everything', '1990-01-01', '1991-01-01'),
    ask('all years', '1900-01-01', '3000-01-01'),
  ]
}
