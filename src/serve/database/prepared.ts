/** Named prepared statements of connections, and the reaction if one cannot be executed. */
import type { ClientBase } from 'pg'

/** SQLSTATEs of a prepared statement that cannot be executed; nothing was executed then. */
export const PREPARED_ERRORS = {
  /** A table that the statement reads was altered. */
  planChanged: '0A000',
  /** It was prepared on another connection: a transaction pooler is in between. */
  unknown: '26000',
  known: '42P05',
} as const

export function isPreparedStatementError(code: string | undefined): code is string {
  return Object.values<string | undefined>(PREPARED_ERRORS).includes(code)
}

/** A column as PostgreSQL describes it; `typeId` is the OID of its type. */
export interface Field {
  readonly name: string
  readonly typeId: number
}

/**
 * The columns of a connection's prepared statements, by name. They do not change while the statement can be
 * executed.
 */
export function descriptionsOf(client: ClientBase): Map<string, readonly Field[]> {
  const known = descriptions.get(client) ?? new Map<string, readonly Field[]>()
  descriptions.set(client, known)
  return known
}

const descriptions = new WeakMap<ClientBase, Map<string, readonly Field[]>>()
