/**
 * One statement as pg submits it, whose rows are handed over as bytes: from the tap, or of the strings
 * that pg makes where a connection has none. Knows pg's protocol of submitting, as pg-cursor does.
 */
import type { Connection, FieldDef } from 'pg'
import type { RowBytes } from '../row-bytes.ts'
import type { RawField } from '../terms.ts'
import { dataRowTapOf } from './data-row-tap.ts'
import { createRowReader } from './row-reader.ts'

export interface Asked {
  /** Undefined is prepared for this once. */
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly string[]
  /** Where the fields stand is known: `fields` is not called. */
  readonly undescribed?: boolean
}

/** None of them throws; `end` or `error` is called, and once. */
export interface Heard {
  fields(fields: readonly FieldDef[]): void
  row(row: RowBytes): void
  /** The connection is ready for another statement. */
  end(): void
  /** The connection will be, unless it is gone. */
  error(error: Error): void
}

/** What `client.query` takes, and calls back as messages come. */
export interface RowQuery {
  readonly name: string | undefined
  readonly text: string
  submit(connection: Connection): void
  handleRowDescription(message: { readonly fields: readonly FieldDef[] }): void
  handleDataRow(message: { readonly fields: readonly RawField[] }): void
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
  bind(message: { readonly statement: string; readonly values: readonly string[] }): void
  describe(message: { readonly type: 'P'; readonly name: string }): void
  execute(message: object): void
  sync(): void
  readonly stream: { cork(): void; uncork(): void }
}

export function createRowQuery(
  { name, text, values, undescribed = false }: Asked,
  heard: Heard,
): RowQuery {
  const reader = createRowReader()
  return {
    name,
    text,
    submit(connection) {
      const wire = connection as unknown as Wire
      const statement = name ?? ''
      dataRowTapOf(connection)?.divert((bytes, start, end) =>
        heard.row(reader.read(bytes, start, end)),
      )
      wire.stream.cork()
      if (name === undefined || wire.parsedStatements[name] !== text) {
        wire.parse({ name: statement, text })
      }
      wire.bind({ statement, values })
      if (!undescribed) wire.describe({ type: 'P', name: '' })
      wire.execute({})
      wire.sync()
      wire.stream.uncork()
    },
    handleRowDescription: ({ fields }) => heard.fields(fields),
    handleDataRow: ({ fields }) => heard.row(reader.ofStrings(fields)),
    handleCommandComplete() {},
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
