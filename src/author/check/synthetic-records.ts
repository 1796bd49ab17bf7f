/** Synthetic rows as SQL: PostgreSQL builds them from JSON and evaluates the table's check constraints. */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { Milliseconds } from '../../model/terms.ts'
import type { CatalogTable } from '../sql/catalog-tables.ts'
import { isRefusal, type Session } from './session.ts'
import type { SyntheticValue } from './synthetic-values.ts'

/** The reason why there are no synthetic rows: `deals (no value of type polygon is known)`. */
export class SyntheticRowsError extends Error {}

type Values = Readonly<Record<string, SyntheticValue>>

const MOST_MS: Milliseconds = 3000

/** @returns indexes of the rows that meet the checks @throws SyntheticRowsError if PostgreSQL cannot evaluate them */
export async function meetingChecks(
  session: Session,
  table: CatalogTable,
  rows: readonly Values[],
): Promise<number[]> {
  const where =
    table.checks.map(({ condition }) => `(${condition}) is not false`).join(' and ') || 'true'
  const text = `select ordinality - 1 from ${recordsOf(table, '$1')} where ${where}`
  try {
    const query = { text, values: [JSON.stringify(rows)], timeoutMs: MOST_MS }
    return (await session.query(query)).rows.map(([index]) => Number(index))
  } catch (error) {
    if (isRefusal(error)) throw new SyntheticRowsError(`${table.name} (${error.message})`)
    throw error
  }
}

/** A select of the rows. */
export function selectOf(table: CatalogTable, rows: readonly Values[]): string {
  const columns = table.columns.map(({ name, generated }) => {
    const column = escapeIdentifier(name)
    return generated === null ? column : `(${generated}) as ${column}`
  })
  return `select ${columns.join(', ')} from ${recordsOf(table, escapeLiteral(JSON.stringify(rows)))}`
}

function recordsOf({ schema, name }: CatalogTable, json: string): string {
  const row = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
  return `jsonb_populate_recordset(null::${row}, ${json}::jsonb) with ordinality as ${escapeIdentifier(name)}`
}
