/** Puts an organization into the database: a generated one, or one that a test makes of a few rows. */
import { escapeLiteral } from 'pg'
import type { Client } from 'pg'
import { TABLES } from '../oracles/oracle.ts'
import type { GeneratedTables } from './tables.ts'

/** In one message, since a few hundred are put in; to be rolled back by the caller. */
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
    // The last id first, so that rows that tie do not come out in the order of their ids by luck.
    const json = escapeLiteral(JSON.stringify(rows.toReversed()))
    return `insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${json})`
  })
  await client.query([organization, ...inserts].join(';\n'))
}
