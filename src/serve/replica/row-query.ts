/**
 * One statement as pg submits it, whose rows are handed over as bytes. Knows pg's protocol of submitting, as
 * pg-cursor does.
 *
 * A read-only execution is `begin read only`, the statement and `rollback`, in one write with one Sync at
 * its end. After an error the server skips the rest, so that the connection is left in an aborted transaction.
 */
import type { ClientBase, Connection, FieldDef } from 'pg'
import { rawFields } from '../../model/row-bytes.ts'
import { createRowReader, forEachRow, type RowBatch } from '../../model/row-reader.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { rollBack, within } from './connection.ts'
import { dataRowTapOf } from './data-row-tap.ts'
import type { TakeBatch } from './data-row-tap.ts'

interface Asked {
  /** Undefined is prepared for this once. */
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly RawField[]
  /** Where the fields stand is known: `fields` is not called. */
  readonly undescribed?: boolean
  /** In a read-only transaction of its own, which is rolled back; else in the caller's, or in none. */
  readonly readOnly?: boolean
  /** `set local` statement for that transaction. */
  readonly setLocal?: string | undefined
}

/** None of them throws; `end` or `error` is called, and once. */
interface Heard {
  fields(fields: readonly FieldDef[]): void
  batch: TakeBatch
  /** The connection is ready for another statement. */
  end(): void
  /** The connection will be, unless it is gone. */
  error(error: Error): void
}

/** What `client.query` takes, and calls back as messages come. */
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

/** What a connection of pg sends, beside what its types tell. */
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

// measured: encoded once, the two take 3 us of each execution in the gateway, not 8; in the server they take 7
const BEGIN = command('begin read only')
const ROLLBACK = command('rollback')

export function createRowQuery(
  { name, text, values, undescribed = false, readOnly = false, setLocal }: Asked,
  heard: Heard,
): RowQuery {
  const before = readOnly ? [BEGIN, ...(setLocal === undefined ? [] : [command(setLocal)])] : []
  let completeCount = 0
  return {
    // why: pg notes the statement of this name as parsed at any ParseComplete, and those before it are not its own
    get name() {
      return completeCount >= before.length ? name : undefined
    },
    text,
    submit(connection) {
      const wire = connection as unknown as Wire
      const statement = name ?? ''
      const tap = dataRowTapOf(connection)
      if (tap === undefined) throw new Error('found a connection without a tap of its rows')
      tap.divert(heard.batch)
      wire.stream.cork()
      for (const command of before) wire.stream.write(command)
      if (name === undefined || wire.parsedStatements[name] !== text) {
        wire.parse({ name: statement, text })
      }
      wire.bind({ statement, values })
      if (!undescribed) wire.describe({ type: 'P', name: '' })
      wire.execute({})
      if (readOnly) wire.stream.write(ROLLBACK)
      wire.sync()
      wire.stream.uncork()
    },
    handleRowDescription: ({ fields }) => heard.fields(fields),
    handleDataRow() {},
    handleCommandComplete: () => void (completeCount += 1),
    handleEmptyQuery() {},
    handlePortalSuspended() {},
    handleCopyInResponse: connection => connection.sendCopyFail('nothing to copy'),
    handleCopyData() {},
    handleError(error, connection) {
      dataRowTapOf(connection)?.divert(undefined)
      heard.error(error)
    },
    handleReadyForQuery(connection) {
      dataRowTapOf(connection)?.divert(undefined)
      heard.end()
    },
  }
}

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
