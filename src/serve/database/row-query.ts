/** Reads few rows of a statement in a read-only transaction. */
import { rawFields, createRowReader } from '../../model/row-bytes.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { within } from './connection.ts'
import { executeOn } from './execution.ts'
import type { DescribedColumn, DatabaseClient } from './database-client.ts'
import { command } from './statement-bytes.ts'

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

/** Reads each value as PostgreSQL prints it. @param mostRows further rows are counted, but not stored */
export function rowsReader(mostRows = Number.POSITIVE_INFINITY) {
  const rows: RawField[][] = []
  const reader = createRowReader()
  let rowCount = 0
  return {
    rows,
    get rowCount() {
      return rowCount
    },
    read(bytes: Buffer, from: number, to: number): undefined {
      for (let at = from; at < to; at = reader.nextOffset) {
        const row = reader.read(bytes, at)
        rowCount += 1
        if (rowCount <= mostRows) rows.push(rawFields(row))
      }
    },
    end: () => undefined,
  }
}

/** @param before instead of the query's own @returns each value as PostgreSQL prints it @throws as `executeOn` and `within` */
export async function readOnlyRows(
  client: DatabaseClient,
  timeoutMs: Milliseconds,
  { text, values = [], name, before: own = [], onColumns }: ShortQuery,
  before = own,
): Promise<RawField[][]> {
  const commands = before.map(one => (typeof one === 'string' ? command(one) : one))
  const statement = { text, values, name, isReadOnly: true, before: commands }
  const begin = (columns: readonly DescribedColumn[]) => {
    onColumns?.(columns)
    return rowsReader()
  }
  return (await within(timeoutMs, executeOn(client, statement, begin), client)).rows
}
