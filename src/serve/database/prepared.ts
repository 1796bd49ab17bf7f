/** Named prepared statements of connections, and the reaction if one cannot be executed. */
import type { ClientBase } from 'pg'
import type { Server } from './connection.ts'

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

/** Prepared statements of one pool. */
export interface PreparedStatements {
  /** Undefined once the connections are known not to support prepared statements. */
  nameOf(name: string): string | undefined
  /** @param code one of `PREPARED_ERRORS` */
  refused(code: string): void
  /** Checks a new connection: a pooler may send each statement to another server. */
  connected(server: Server): void
}

export function createPreparedStatements(): PreparedStatements {
  let isSupported = true
  return {
    nameOf: name => (isSupported ? name : undefined),
    refused(code) {
      // why: an altered table does not prove a pooler
      if (code !== PREPARED_ERRORS.planChanged) isSupported = false
    },
    connected({ isPooled }) {
      if (isPooled) isSupported = false
    },
  }
}
