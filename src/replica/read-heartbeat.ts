/** Reads the row that says when the primary wrote last. */
import type { Knex } from 'knex'
import type { Milliseconds } from '../terms.ts'
import { isAway } from './classify-error.ts'
import type { Heartbeat } from './lag-bound.ts'

/**
 * @param text SQL that returns one row: `written_ms`
 * @throws whatever the transport reports; what PostgreSQL refuses is told in the answer
 */
export async function readHeartbeat(
  database: Knex,
  text: string,
  timeoutMs: Milliseconds,
): Promise<Heartbeat> {
  try {
    // why: to knex a question mark is a value that is missing
    const asked = database.raw<{ rows: Array<{ written_ms: string | null }> }>(
      text.replaceAll('?', '\\?'),
    )
    const { rows } = await asked.timeout(timeoutMs)
    const written = rows[0]?.written_ms ?? null
    if (rows.length !== 1 || written === null) {
      throw Object.assign(new Error(`${rows.length} rows, expected one with an instant`), {
        severity: 'ERROR',
      })
    }
    return { writtenMs: Number(written) }
  } catch (error) {
    if (isAway(error)) throw error
    return { writtenMs: undefined, error }
  }
}
