/** Whether a connection can take the next statement, and how it gets there after an error. Knows pg. */
import type { ClientBase } from 'pg'
import type { Milliseconds } from '../../model/terms.ts'
import { destroyConnection, within } from './pool.ts'

const ROLLBACK_MS: Milliseconds = 1000

/** Idle, in no transaction, and not lost. */
export function isIdle(client: ClientBase): boolean {
  const { readyForQuery, connection } = client as unknown as {
    readonly readyForQuery: boolean | null
    readonly connection: { readonly stream: { readonly destroyed: boolean } }
  }
  return (
    readyForQuery === true && !connection.stream.destroyed && client.getTransactionStatus() === 'I'
  )
}

/** After an error in a transaction: the connection is idle then, or destroyed. Never fails. */
export async function rollBack(client: ClientBase): Promise<void> {
  if (isIdle(client)) return
  try {
    await within(ROLLBACK_MS, client, () => client.query('rollback'))
  } catch {
    destroyConnection(client)
  }
}
