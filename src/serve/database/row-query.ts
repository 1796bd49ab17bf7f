/**
 * A statement for `client.query` that delivers rows as bytes. Implements pg's interface of submittable queries, as
 * pg-cursor does.
 *
 * A read-only execution sends `begin`, the statement and `rollback` in one write with one final Sync.
 * After an error the server skips the rest, and the connection is in an aborted transaction.
 */
import type { ClientBase, Connection, FieldDef } from 'pg'
import { rawFields } from '../../model/row-bytes.ts'
import { createRowReader, forEachRow, type RowBatch } from '../../model/row-reader.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { rollBack, within } from './connection.ts'
import { dataRowTapOf } from './data-row-tap.ts'
import type { TakeBatch } from './data-row-tap.ts'
import { BEGIN } from './session-settings.ts'

interface StatementOptions {
  /** Name of the prepared statement; undefined is unnamed. */
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly RawField[]
  /** The fields are known: `fields` is not called. */
  readonly skipDescribe?: boolean
  /** True: in a separate read-only transaction, which is rolled back; else in the caller's, or in none. */
  readonly readOnly?: boolean
  /** Statements without rows before it in that transaction, such as `set local`. */
  readonly before?: ReadonlyArray<string | undefined>
}

/** Handlers must not throw. Either `end` or `error` is called, once. */
interface ResultHandlers {
  fields(fields: readonly FieldDef[]): void
  batch: TakeBatch
  /** The connection is ready for another statement. */
  end(): void
  /** The connection becomes ready, unless it is broken. */
  error(error: Error): void
}

/** The interface that `client.query` takes and calls back for each message. */
interface RowQuery {
  readonly name: string | undefined
  readonly text: string
  submit(connection: Connection): void
  handleRowDescription(message: { readonly fields: readonly FieldDef[] }): void
  handleDataRow(): void
  handleCommandComplete(): void
  handleEmptyQuery(): void
  handlePortalSuspended(): void
  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void
  handleCopyData(): void
  handleError(error: Error, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}

/** Members of pg's connection that its types omit. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  parse(message: { readonly name: string; readonly text: string }): void
  bind(message: { readonly statement: string; readonly values: readonly RawField[] }): void
  describe(message: { readonly type: 'P'; readonly name: string }): void
  execute(message: object): void
  sync(): void
  readonly stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
}

/**
 * Parse, Bind and Execute of a command without values and without rows.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function command(text: string): Buffer {
  return Buffer.concat([
    message('P', `\0${text}\0\0\0`),
    message('B', '\0\0\0\0\0\0\0\0'),
    message('E', '\0\0\0\0\0'),
  ])
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}....${body}`)
  bytes.writeUInt32BE(bytes.length - 1, 1)
  return bytes
}

// measured: encoded in advance, the two cost the gateway 3 us per execution instead of 8; they cost the server 7 us
const BEGIN_READ_ONLY = command(BEGIN)
const ROLLBACK = command('rollback')

export function createRowQuery(
  {
    name,
    text,
    values,
    skipDescribe = false,
    readOnly = false,
    before: others = [],
  }: StatementOptions,
  handlers: ResultHandlers,
): RowQuery {
  const before = readOnly
    ? [BEGIN_READ_ONLY, ...others.flatMap(sql => (sql === undefined ? [] : [command(sql)]))]
    : []
  let completeCount = 0
  return {
    // why: pg marks this name as parsed at any ParseComplete, also at those of the statements before it
    get name() {
      return completeCount >= before.length ? name : undefined
    },
    text,
    submit(connection) {
      const wire = connection as unknown as Wire
      const statement = name ?? ''
      const tap = dataRowTapOf(connection)
      if (tap === undefined) throw new Error('found a connection without a data row tap')
      tap.divert(handlers.batch)
      wire.stream.cork()
      for (const command of before) wire.stream.write(command)
      if (name === undefined || wire.parsedStatements[name] !== text) {
        wire.parse({ name: statement, text })
      }
      wire.bind({ statement, values })
      if (!skipDescribe) wire.describe({ type: 'P', name: '' })
      wire.execute({})
      if (readOnly) wire.stream.write(ROLLBACK)
      wire.sync()
      wire.stream.uncork()
    },
    handleRowDescription: ({ fields }) => handlers.fields(fields),
    handleDataRow() {},
    handleCommandComplete: () => void (completeCount += 1),
    handleEmptyQuery() {},
    handlePortalSuspended() {},
    handleCopyInResponse: connection => connection.sendCopyFail('nothing to copy'),
    handleCopyData() {},
    handleError(error, connection) {
      dataRowTapOf(connection)?.divert(undefined)
      handlers.error(error)
    },
    handleReadyForQuery(connection) {
      dataRowTapOf(connection)?.divert(undefined)
      handlers.end()
    },
  }
}

export interface ShortQuery {
  readonly text: string
  readonly values?: readonly RawField[]
  /** Name of the prepared statement; undefined is unnamed. */
  readonly name?: string | undefined
  /** Statements without rows before it in its transaction, such as `set local`. */
  readonly before?: ReadonlyArray<string | undefined>
  /** If defined, the columns are described, too. */
  readonly onFields?: (fields: readonly FieldDef[]) => void
}

/**
 * @returns each value as PostgreSQL prints it
 * @throws what PostgreSQL or the transport reported, after the rollback; as `within`
 */
export async function readOnlyRows(
  client: ClientBase,
  timeoutMs: Milliseconds,
  { text, values = [], name, before, onFields }: ShortQuery,
): Promise<RawField[][]> {
  const rows: RawField[][] = []
  const reader = createRowReader()
  const skipDescribe = onFields === undefined
  const statement = { name, text, values, skipDescribe, readOnly: true, ...(before && { before }) }
  const submit = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const handlers = {
        fields: onFields ?? (() => {}),
        batch: (batch: RowBatch) =>
          forEachRow(reader, batch, row => void rows.push(rawFields(row))),
        end: resolve,
        error: reject,
      }
      client.query(createRowQuery(statement, handlers))
    })
  try {
    await within(timeoutMs, client, submit)
  } catch (error) {
    await rollBack(client)
    throw error
  }
  return rows
}
