/** Reads the row that says when the primary wrote last. */
import type { Pool } from 'pg'
import { rawField } from '../../model/row-bytes.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { checkOut } from './check-out.ts'
import { isAway } from './classify-error.ts'
import { isIdle } from './connection-state.ts'
import type { Heartbeat } from './lag-bound.ts'
import { within } from './pool.ts'
import { readOnlyRows } from './read-only-rows.ts'

/**
 * @param text SQL that returns one row: `written_ms`
 * @throws whatever the transport reports; what PostgreSQL refuses is told in the answer
 */
export async function readHeartbeat(
  pool: Pool,
  text: string,
  timeoutMs: Milliseconds,
): Promise<Heartbeat> {
  try {
    const written = await rowsOf(pool, text, timeoutMs)
    const [writtenMs] = written
    if (written.length !== 1 || writtenMs === undefined || writtenMs === null) {
      throw Object.assign(new Error(`${written.length} rows, expected one with an instant`), {
        severity: 'ERROR',
      })
    }
    return { writtenMs: Number(writtenMs) }
  } catch (error) {
    if (isAway(error)) throw error
    return { writtenMs: undefined, error }
  }
}

async function rowsOf(pool: Pool, text: string, timeoutMs: Milliseconds): Promise<RawField[]> {
  const written: RawField[] = []
  const client = await checkOut(pool, AbortSignal.timeout(timeoutMs))
  try {
    const asked = { name: undefined, text, values: [], undescribed: true }
    await within(timeoutMs, client, () =>
      readOnlyRows(client, asked, row => void written.push(rawField(row, 0))),
    )
  } finally {
    client.release(!isIdle(client))
  }
  return written
}
