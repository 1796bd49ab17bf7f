/** Sessions of a pool, and few rows of a statement on one. Knows pg. */
import type { ClientBase } from 'pg'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { transportError } from './classify-error.ts'
import { executeOn } from './execution.ts'
import { createPool, type ClientPool, type PoolOptions, type ServerOptions } from './pool.ts'
import type { DescribedColumn, DatabaseClient } from './database-client.ts'
import { readRows } from './rows.ts'
import { command } from './statement-bytes.ts'

/**
 * @throws what pg or the transport reports: an unknown error is attributed to the server, not to the execution; the reason
 *   of the stop, without waiting for the connection
 */
export function connect(pool: ClientPool, stop?: Stop): Promise<DatabaseClient> {
  return new Promise((resolve, reject) => {
    const remove = stop?.onStop(reject)
    if (stop?.reason !== undefined) return
    // why: a promise of pg-pool costs a stack trace
    pool.connect((error, client) => {
      remove?.()
      if (client === undefined) reject(transportError(error))
      // why: a connection that is made after the stop is for others
      else if (stop?.reason !== undefined) client.release()
      else resolve(client as ClientBase as DatabaseClient)
    })
  })
}

/** Calls `use` with a session of the pool, then gives it back. @throws as `use` and `connect` */
export async function withConnection<T>(
  pool: ClientPool,
  use: (client: DatabaseClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  try {
    return await use(client)
  } finally {
    client.giveBack()
  }
}

/** One session with a pool's settings and checks. @throws what pg or the transport reports; UnsuitableServerError */
export async function openSession(
  options: Omit<PoolOptions, 'max' | 'observe'>,
): Promise<{ readonly client: DatabaseClient; readonly close: () => Promise<void> }> {
  const pool = createPool({ ...options, max: 1, observe: () => {} })
  const client = await connect(pool).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const close = (): Promise<void> => {
    client.release(true)
    return pool.end()
  }
  return { client, close }
}

/** Makes a connection beside those of a pool, which may all hang. @throws as `openSession` */
export async function reachServer(
  name: 'reports' | 'keys',
  { connectionString, currentUrl, connectTimeoutMs }: Omit<ServerOptions, 'observe'>,
): Promise<void> {
  const options = { name, connectionString, currentUrl, connectTimeoutMs }
  await (await openSession(options)).close()
}

export interface ShortQuery {
  readonly text: string
  readonly values?: readonly RawField[]
  /** Name of the prepared statement; undefined is unnamed. */
  readonly name?: string | undefined
  /** Statements without rows before it in its transaction, such as `set local`. */
  readonly before?: ReadonlyArray<string | Buffer>
  /** If defined, the columns are described, too. */
  readonly onColumns?: (columns: readonly DescribedColumn[]) => void
}

/** Reads rows in a read-only transaction. @throws as `readOnlyRows` */
export type ReadRows = (query: ShortQuery) => Promise<RawField[][]>

/**
 * @param before instead of the query's own
 * @returns each value as PostgreSQL prints it
 * @throws as `executeOn`; an error with the code `ETIMEDOUT`, after the session was closed
 */
export function readOnlyRows(
  client: DatabaseClient,
  timeoutMs: Milliseconds,
  { text, values = [], name, before: own = [], onColumns }: ShortQuery,
  before = own,
): Promise<RawField[][]> {
  const commands = before.map(one => (typeof one === 'string' ? command(one) : one))
  const statement = { text, values, name, isReadOnly: true, before: commands, timeoutMs }
  return executeOn(client, { ...statement, isShort: true }).then(result => {
    onColumns?.(result.fields)
    const read = readRows(result)
    return read instanceof Promise ? read.then(({ rows }) => rows) : read.rows
  })
}
