/**
 * A session: how it is connected and set up before its first use, and few rows of a statement on one. It is read-only,
 * in UTC, without JIT, and its server checks that the client is connected. Knows pg.
 */
import type { Observe, PoolName, ServerIdentity } from '../../model/observation.ts'
import { createRowReader, rawFields, type RowBytes } from '../../model/row-bytes.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { transportError, UnsuitableServerError } from './classify-error.ts'
import { DatabaseClient, type DescribedColumn } from './database-client.ts'
import { executeOnSession } from './session-execution.ts'
import type { Rows } from './rows.ts'
import { localSettings, setUpStatement } from './session-settings.ts'
import { command } from './statement-bytes.ts'
import { within } from './timeout.ts'

/** Options of a server for every pool. */
export interface DatabaseOptions {
  readonly connectionString: string
  /** The connection string for a new connection, whose password may have changed. */
  readonly currentUrl?: ((connectionString: string) => string) | undefined
  readonly connectTimeoutMs: Milliseconds
  readonly observe: Observe
}

export interface SessionOptions extends DatabaseOptions {
  readonly name: PoolName
  /** True: a server that is not in recovery is rejected. */
  readonly replicaOnly?: boolean
  /** Called with each new session before its first use; if it throws, the session is refused. */
  readonly accept?: (client: DatabaseClient) => Promise<void>
}

type Found = ServerIdentity & Readonly<Record<'in_recovery' | 'direct', boolean>>

const WRITABLE = 'the server at DATABASE_URL is not in recovery; ALLOW_PRIMARY=true lets it in'

/** Sets sessions up before their first use. One that must not be used is closed, and an error thrown. */
export function createSetUp(options: SessionOptions): (client: DatabaseClient) => Promise<void> {
  const { name, connectTimeoutMs, observe } = options
  let isPoolerReported = false

  async function setUp(client: DatabaseClient): Promise<void> {
    const connectedAt = performance.now()
    // why: an error of a lost socket without a listener would end the process
    client.on('error', error => observe({ kind: 'connection-lost', pool: name, error }))
    const text = setUpStatement(name, client.processID)
    const found = await within(connectTimeoutMs, client.secondRow<Found>(text), client)
    client.peer = {
      isPooled: !found.direct,
      identity: { started: found.started, address: found.address },
      ageMs: () => performance.now() - connectedAt,
    }
    if ('getPeerCertificate' in client.socket) {
      const expiresAt = new Date(client.socket.getPeerCertificate().valid_to).toISOString()
      observe({ kind: 'server-certificate', pool: name, expiresAt })
    }
    if (options.replicaOnly && !found.in_recovery) throw new UnsuitableServerError(WRITABLE)
    if (!found.direct) {
      client.localSettings = [command(localSettings(name))]
      if (!isPoolerReported) observe({ kind: 'pooler-detected', pool: name })
      isPoolerReported = true
    }
    await options.accept?.(client)
  }

  return client =>
    setUp(client).catch((error: unknown) => {
      void client.end()
      throw error
    })
}

/** A session of its own, as one of a pool. @throws what pg or the transport reports; UnsuitableServerError */
export async function openSession(
  options: Omit<SessionOptions, 'observe'>,
): Promise<DatabaseClient> {
  const { name, connectionString, currentUrl, connectTimeoutMs } = options
  const client = new DatabaseClient({ name, connectionString, currentUrl, connectTimeoutMs })
  const setUp = createSetUp({ ...options, observe: () => {} })
  const connecting = client.connect().then(() => setUp(client))
  await connecting.catch((error: unknown) => {
    throw transportError(error)
  })
  return client
}

/** Makes a connection beside those of a pool, which may all hang. @throws as `openSession` */
export async function reachDatabase(options: Omit<SessionOptions, 'observe'>): Promise<void> {
  const client = await openSession(options)
  void client.end()
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
export type QueryRows = (query: ShortQuery) => Promise<RawField[][]>

/**
 * @param before instead of the query's own
 * @returns each value as PostgreSQL prints it
 * @throws as `executeOnSession`; an error with the code `ETIMEDOUT`, after the session was closed
 */
export function readOnlyRows(
  client: DatabaseClient,
  timeoutMs: Milliseconds,
  { text, values = [], name, before: own = [], onColumns }: ShortQuery,
  before = own,
): Promise<RawField[][]> {
  const commands = before.map(one => (typeof one === 'string' ? command(one) : one))
  const statement = { text, values, name, isReadOnly: true, before: commands, timeoutMs }
  return executeOnSession(client, { ...statement, isShort: true }).then(result => {
    onColumns?.(result.fields)
    const read = collectRows(result)
    return read instanceof Promise ? read.then(({ rows }) => rows) : read.rows
  })
}

/** Calls `take` with each row. @returns a promise for a longer result @throws as `Rows.next` */
export function forEachRow(rows: Rows, take: (row: RowBytes) => void): Promise<void> | undefined {
  const reader = createRowReader()
  const readBatch = (batch: Buffer): void => {
    for (let at = 0; at < batch.length; at = reader.nextOffset) take(reader.read(batch, at))
  }
  const readNext = async (): Promise<void> => {
    for (let next = await rows.next(); next !== undefined; next = await rows.next()) readBatch(next)
  }
  readBatch(rows.first)
  return rows.isWhole ? undefined : readNext()
}

/** Each value as PostgreSQL prints it. @param mostRows further rows are counted, but not stored */
export function collectRows(result: Rows, mostRows = Number.POSITIVE_INFINITY) {
  const read = { rows: [] as RawField[][], rowCount: 0 }
  const reading = forEachRow(result, row => {
    read.rowCount += 1
    if (read.rowCount <= mostRows) read.rows.push(rawFields(row))
  })
  return reading === undefined ? read : reading.then(() => read)
}
