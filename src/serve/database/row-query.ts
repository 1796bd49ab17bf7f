/** Reads few rows of a statement in a read-only transaction. */
import type { ClientBase, FieldDef } from 'pg'
import { rawFields } from '../../model/row-bytes.ts'
import { createRowReader } from '../../model/row-reader.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { within } from './connection.ts'
import { Execution } from './execution.ts'
import type { ExecutionOwner, Statement } from './execution.ts'
import type { ResultReader } from './result-reader.ts'
import { command } from './statement-bytes.ts'

/** As pg describes it. */
export type DescribedColumn = FieldDef

export interface ShortQuery {
  readonly text: string
  readonly values?: readonly RawField[]
  /** Name of the prepared statement; undefined is unnamed. */
  readonly name?: string | undefined
  /** Statements without rows before it in its transaction, such as `set local`. */
  readonly before?: ReadonlyArray<string | Buffer>
  /** If defined, the columns are described, too. */
  readonly onFields?: (fields: readonly DescribedColumn[]) => void
}

/** Reads rows in a read-only transaction. @throws as `readOnlyRows` */
export type ReadRows = (query: ShortQuery) => Promise<RawField[][]>

interface Rows extends ResultReader {
  readonly rows: RawField[][]
}

/** Reads each value as PostgreSQL prints it. @param mostRows further rows are counted, but not stored */
export function rowsReader(mostRows = Number.POSITIVE_INFINITY): Rows {
  const rows: RawField[][] = []
  const reader = createRowReader()
  let rowCount = 0
  return {
    rows,
    get rowCount() {
      return rowCount
    },
    read(bytes, from, to) {
      for (let at = from; at < to; at = reader.nextOffset) {
        const row = reader.read(bytes, at)
        rowCount += 1
        if (rowCount <= mostRows) rows.push(rawFields(row))
      }
      return undefined
    },
    end: () => undefined,
  }
}

/** The reader, once the connection is idle. @throws what PostgreSQL or the transport reported, after the rollback */
export async function executeOn<R extends ResultReader>(
  client: ClientBase,
  statement: Statement,
  begin: ExecutionOwner<R>['begin'],
  onFields?: ExecutionOwner<R>['onFields'],
): Promise<R> {
  let onIdle!: () => void
  const isIdle = new Promise<void>(resolve => (onIdle = resolve))
  try {
    return await new Execution(client, statement, { begin, onIdle, ...(onFields && { onFields }) })
      .result
  } finally {
    await isIdle
  }
}

/** @returns each value as PostgreSQL prints it @throws as `executeOn` and `within` */
export async function readOnlyRows(
  client: ClientBase,
  timeoutMs: Milliseconds,
  { text, values = [], name, before = [], onFields }: ShortQuery,
): Promise<RawField[][]> {
  const commands = before.map(one => (typeof one === 'string' ? command(one) : one))
  const describes = onFields !== undefined
  const statement = { text, values, name, describes, isReadOnly: true, before: commands }
  const execute = (): Promise<Rows> => executeOn(client, statement, () => rowsReader(), onFields)
  return (await within(timeoutMs, client, execute)).rows
}
