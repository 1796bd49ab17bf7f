/** Reads few rows of a statement in a read-only transaction. */
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { within } from './connection.ts'
import { executeOn } from './execution.ts'
import type { DescribedColumn, DatabaseClient } from './database-client.ts'
import { readRows } from './rows.ts'
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

/** @param before instead of the query's own @returns each value as PostgreSQL prints it @throws as `executeOn` and `within` */
export async function readOnlyRows(
  client: DatabaseClient,
  timeoutMs: Milliseconds,
  { text, values = [], name, before: own = [], onColumns }: ShortQuery,
  before = own,
): Promise<RawField[][]> {
  const commands = before.map(one => (typeof one === 'string' ? command(one) : one))
  const statement = { text, values, name, isReadOnly: true, before: commands }
  const read = async () => {
    const rows = await executeOn(client, statement)
    onColumns?.(rows.fields)
    return (await readRows(rows)).rows
  }
  return within(timeoutMs, read(), client)
}
