/** A second product: an English SaaS that invoices in euros, dollars, yen and dinars. */
import { readFileSync } from 'node:fs'
import { otherVersion } from '../../src/author/versions/other-version.ts'
import type { AnyDefinition } from '../../src/definitions/any-definition.ts'
import { addDays } from '../../src/definitions/calendar.ts'
import type { Statement } from '../../src/definitions/definition.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import type { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { createTestDatabase } from '../harness/test-database.ts'

const FOLDER = 'test/fixtures/saas'
export const SQL_DIR = `${FOLDER}/sql`

const { reports, metricsFiles } = await loadCatalog(SQL_DIR, parseSql)

export const REPORTS = [...reports.keys()]
export const DEFINITIONS: readonly AnyDefinition[] = [...reports.values(), ...metricsFiles.values()]

/** Each text of an organization begins with its name; `nova` has no rows. */
export const ORGANIZATIONS = [
  { id: '1', name: 'acme', timeZone: 'America/New_York' },
  { id: '2', name: 'bolt', timeZone: 'Europe/Berlin' },
  { id: '3', name: 'kauri', timeZone: 'Pacific/Auckland' },
  { id: '4', name: 'nova', timeZone: 'UTC' },
] as const

export const DIGITS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 }

/** A year, and months in which clocks change: in New York and Berlin, and in Auckland. */
export const PERIODS = [
  'from=2025-01-01&to=2025-12-31',
  'from=2025-03-01&to=2025-03-31',
  'from=2025-04-01&to=2025-04-30',
] as const

export async function createDatabase() {
  const schema = readFileSync(`${FOLDER}/schema.sql`, 'utf8')
  const { primaryUrl, urlFor } = await createTestDatabase('saas', schema)
  const environment = {
    SQL_DIR,
    DATABASE_URL: urlFor('svodka_reports', 'replica'),
    KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
  }
  return { primaryUrl, environment }
}

/** Conditions on the rows of other organizations, by table. */
export function othersThan(id: string): Record<string, string> {
  const others = `organization_id <> ${id}`
  const invoices = `invoice_id in (select id from invoices where ${others})`
  return {
    organizations: `id <> ${id}`,
    customers: others,
    invoices: others,
    invoice_lines: invoices,
    line_discounts: `line_id in (select id from invoice_lines where ${invoices})`,
    payments: others,
    credit_notes: others,
  }
}

/** The statement of `x.oracle.sql`. */
export async function oracleOf(definition: AnyDefinition): Promise<Statement> {
  const file = `${FOLDER}/${definition.file}`.replace(/\.sql$/, '.oracle.sql')
  const oracle = await otherVersion(
    { file, text: readFileSync(file, 'utf8') },
    definition,
    parseSql,
  )
  if (oracle.definition === undefined) throw new Error(JSON.stringify(oracle.findings))
  return oracle.definition.statement
}

/** Each as JSON of texts. @param period as in a request */
export async function rowsOf(
  client: DatabaseClient,
  statement: Statement,
  { id: organizationId, timeZone }: Pick<(typeof ORGANIZATIONS)[number], 'id' | 'timeZone'>,
  period: string,
): Promise<string[]> {
  const [, start = '', last = ''] = /^from=(.*)&to=(.*)$/.exec(period)!
  const values = statement.values({
    organizationId,
    timeZone,
    period: { start, end: addDays(last, 1) },
    today: '2026-01-15',
    now: '2026-01-15T12:00:00Z',
  })
  const types = { getTypeParser: () => (text: string) => text }
  const { rows } = await client.query<object>({
    text: statement.text('integer'),
    values: [...values],
    types,
  })
  return rows.map(row => JSON.stringify(row))
}
