/** Inserts an organization: a generated one, or a few rows of a test. */
import { escapeLiteral, type Client } from 'pg'
import { TABLES } from '../oracles/oracle.ts'
import type { GeneratedTables } from './tables.ts'

/** Sends all inserts in one message, because a test inserts hundreds of organizations. The caller rolls back. */
export async function insertOrganization(
  client: Client,
  id: string,
  timeZone: string,
  tables: GeneratedTables,
): Promise<void> {
  const organization = `insert into organizations (id, name, tier, time_zone)
    values (${escapeLiteral(id)}, 'Сгенерированная', 'business', ${escapeLiteral(timeZone)})`
  const inserts = TABLES.filter(table => tables[table].length > 0).map(table => {
    const rows = tables[table].map(row => ({ ...row, organization_id: id }))
    // In descending order of ids, so that tied rows are not in the order of ids by chance.
    const json = escapeLiteral(JSON.stringify(rows.toReversed()))
    return `insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${json})`
  })
  await client.query([organization, ...inserts].join(';\n'))
}
