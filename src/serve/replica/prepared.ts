/** Statements that connections keep under a name, and what is learned where one cannot be run as it is kept. */
import type { ClientBase } from 'pg'
import type { Server } from './connection.ts'
import type { Prepared } from './session-settings.ts'

/** What PostgreSQL says of a prepared statement that cannot be run as it is; nothing has run then. */
export const NOT_AS_PREPARED = {
  /** A table that it reads was changed. */
  planChanged: '0A000',
  /** It was prepared on another connection: between us and the server is a pooler of transactions. */
  unknown: '26000',
  known: '42P05',
} as const

export function isNotAsPrepared(code: string | undefined): code is string {
  return Object.values<string | undefined>(NOT_AS_PREPARED).includes(code)
}

/** A column as PostgreSQL describes it; `typeId` is the OID of its type. */
export interface Field {
  readonly name: string
  readonly typeId: number
}

/**
 * What a connection's prepared statements answer, by their names: for as long as they can be run as they
 * are, it is the same.
 */
export function descriptionsOf(client: ClientBase): Map<string, readonly Field[]> {
  const known = descriptions.get(client) ?? new Map<string, readonly Field[]>()
  descriptions.set(client, known)
  return known
}

const descriptions = new WeakMap<ClientBase, Map<string, readonly Field[]>>()

/** Of one pool. */
export interface Preparing {
  /** Undefined once connections are known not to keep what they have prepared until they are used again. */
  nameOf(name: string): string | undefined
  /** @param code one of `NOT_AS_PREPARED` */
  refused(code: string): void
  /** Looks at a new connection: a pooler may give each statement another server. */
  connected(server: Server): void
}

export function createPreparing(prepared: Prepared = 'auto'): Preparing {
  let keepsPrepared = prepared === 'auto'
  return {
    nameOf: name => (keepsPrepared ? name : undefined),
    refused(code) {
      // why: a change of a table says nothing of what is between us and the server
      if (code !== NOT_AS_PREPARED.planChanged) keepsPrepared = false
    },
    connected({ isPooled }) {
      if (isPooled) keepsPrepared = false
    },
  }
}
