/** A database in which generated organizations are inserted next to neighbours and rolled back. */
import type { Client } from 'pg'
import type { Asked } from '../comparison.ts'
import { productDatabase } from '../product-database.ts'
import { rawRows } from '../run.ts'
import { connected } from '../subject.ts'
import { insertOrganization } from './insert.ts'
import { generateOrganization } from './organization.ts'
import { questionOf } from './question.ts'
import type { Generated, GeneratedTables } from './tables.ts'

const ID = 'ffffffff-0000-4000-8000-000000000001'

/** Seeds of organizations with many rows, whose twins are inserted before all others. */
export const NEIGHBOURS: readonly number[] = [6, 16, 130, 210, 243, 264]

/** Another organization with the same ids, references and moments, but with other names and amounts. */
function twinOf(tables: GeneratedTables): GeneratedTables {
  const changed = Object.entries(tables).map(([table, rows]) => [
    table,
    rows.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, ofTwin(column, value)]),
      ),
    ),
  ])
  return Object.fromEntries(changed) as GeneratedTables
}

function ofTwin(column: string, value: Generated[string]): Generated[string] {
  if (value === null) return null
  if (column === 'name' || column === 'full_name') return `${value} двойника`
  if (/^(amount|cost)_kopecks$/.test(column)) return String(value).startsWith('-') ? '-3' : '3'
  return value
}

export interface GeneratedDatabase {
  /** Inserts the organization of a seed, calls the callback, and rolls back. */
  withOrganization(
    seed: number,
    use: (client: Client, asked: Asked) => Promise<void>,
  ): Promise<void>
  end(): Promise<void>
}

export async function generatedDatabase(name: string): Promise<GeneratedDatabase> {
  const client = await connected(await productDatabase(name))
  // Planning each execution would take most of the time.
  await client.query('set plan_cache_mode = force_generic_plan')
  for (const seed of NEIGHBOURS) {
    const question = questionOf(seed)
    const id = `eeeeeeee-0000-4000-8000-${String(seed).padStart(12, '0')}`
    const tables = twinOf(generateOrganization(seed, question))
    await insertOrganization(client, id, question.timeZone, tables)
  }
  return {
    async withOrganization(seed, use) {
      const question = questionOf(seed)
      await client.query('begin')
      try {
        const tables = generateOrganization(seed, question)
        await insertOrganization(client, ID, question.timeZone, tables)
        const rows = await rawRows(client, ID)
        await use(client, { organizationId: ID, question, rows })
      } finally {
        await client.query('rollback')
      }
    },
    end: () => client.end(),
  }
}
