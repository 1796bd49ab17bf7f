/** The rows of one statement in a read-only transaction of its own, for callers that keep no state of it. */
import type { ClientBase, FieldDef } from 'pg'
import type { RowBytes } from '../../model/row-bytes.ts'
import { createRowReader, forEachRow } from '../../model/row-reader.ts'
import { rollBack } from './connection-state.ts'
import { createRowQuery } from './row-query.ts'
import type { Asked } from './row-query.ts'

/** @throws what PostgreSQL or the transport reported; the transaction is rolled back by then. */
export async function readOnlyRows(
  client: ClientBase,
  asked: Asked,
  row: (row: RowBytes) => void,
  fields: (fields: readonly FieldDef[]) => void = () => undefined,
): Promise<void> {
  const reader = createRowReader()
  const batch = (rows: Buffer): void => forEachRow(reader, rows, row)
  try {
    await new Promise<void>((resolve, reject) => {
      const heard = { fields, batch, end: resolve, error: reject }
      client.query(createRowQuery({ ...asked, readOnly: true }, heard))
    })
  } catch (error) {
    await rollBack(client)
    throw error
  }
}
