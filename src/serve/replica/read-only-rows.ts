/** A few rows of one statement, in a read-only transaction of its own and with a time limit: all that is asked beside reports. */
import type { ClientBase, FieldDef, Pool, PoolClient } from 'pg'
import { rawFields } from '../../model/row-bytes.ts'
import { createRowReader, forEachRow, type RowBatch } from '../../model/row-reader.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { unreached } from './classify-error.ts'
import { isIdle, rollBack } from './connection-state.ts'
import { within } from './pool.ts'
import { createRowQuery } from './row-query.ts'

export interface ShortQuery {
  readonly text: string
  readonly values?: readonly RawField[]
  /** The connection prepares it under this name; undefined is prepared for this once. */
  readonly name?: string | undefined
  /** `set local` statement for its transaction. */
  readonly setLocal?: string | undefined
  /** Asks for the columns, too. */
  readonly onFields?: (fields: readonly FieldDef[]) => void
}

/**
 * @returns each value as PostgreSQL prints it
 * @throws what PostgreSQL or the transport reported: the transaction is rolled back by then. As `within`.
 */
export async function readOnlyRows(
  client: ClientBase,
  timeoutMs: Milliseconds,
  { text, values = [], name, setLocal, onFields }: ShortQuery,
): Promise<RawField[][]> {
  const rows: RawField[][] = []
  const reader = createRowReader()
  const undescribed = onFields === undefined
  const asked = { name, text, values, undescribed, readOnly: true, setLocal }
  const submit = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const heard = {
        fields: onFields ?? (() => {}),
        batch: (batch: RowBatch) =>
          forEachRow(reader, batch, row => void rows.push(rawFields(row))),
        end: resolve,
        error: reject,
      }
      client.query(createRowQuery(asked, heard))
    })
  try {
    await within(timeoutMs, client, submit)
  } catch (error) {
    await rollBack(client)
    throw error
  }
  return rows
}

/** Gives `use` a connection of the pool, which goes back if it is idle then. @throws what `use` throws; as pg, if there is none */
export async function withConnection<T>(
  pool: Pool,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unreached(error)
  })
  try {
    return await use(client)
  } finally {
    client.release(!isIdle(client))
  }
}
