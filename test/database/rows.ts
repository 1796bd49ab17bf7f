// Connections, and the rows of executions on them.
import { createStop, type Stop } from '../../src/model/stop.ts'
import { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { executeOnSession } from '../../src/serve/database/session-execution.ts'
import type { SessionStatement } from '../../src/serve/database/statement-bytes.ts'
import type { Rows } from '../../src/serve/database/rows.ts'
import { createRowReader, type RowBytes } from '../../src/model/row-bytes.ts'

/** A connected client, which the caller has to end. */
export async function connected(connectionString: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Every field in hexadecimal digits; null is SQL's null. */
export type HexRow = ReadonlyArray<string | null>

function hexOf({ bytes, starts, ends, fieldCount }: RowBytes): HexRow {
  return Array.from({ length: fieldCount }, (_, place) =>
    starts[place] === -1 ? null : bytes.toString('hex', starts[place], ends[place]),
  )
}

export function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

export interface HexRows {
  readonly rowCount: number
  readonly rows: HexRow[]
}

/** @param onRow may throw, or return a promise until which no more is read */
export async function readHex(
  result: Rows,
  onRow: (rowCount: number) => Promise<void> | undefined = () => undefined,
): Promise<HexRows> {
  const rows: HexRow[] = []
  const reader = createRowReader()
  let batch: Buffer | undefined = result.first
  while (batch !== undefined) {
    for (let at = 0; at < batch.length; at = reader.nextOffset) {
      rows.push(hexOf(reader.read(batch, at)))
      await onRow(rows.length)
    }
    batch = result.isWhole ? undefined : await result.next()
  }
  return { rows, rowCount: rows.length }
}

interface ReadOptions extends Partial<SessionStatement> {
  readonly stop?: Stop
  readonly onRow?: (rowCount: number) => Promise<void> | undefined
}

/** Reads all rows with default options, and waits until the connection is ready. */
export async function readAll(
  client: DatabaseClient,
  text: string,
  { stop = createStop(), onRow, ...more }: ReadOptions = {},
): Promise<HexRows> {
  const statement = {
    text,
    values: [],
    timeoutMs: 15_000,
    isReadOnly: true,
    before: [],
    ...more,
  }
  return readHex(await executeOnSession(client, statement, stop), onRow)
}

export async function hexRows(client: DatabaseClient, text: string): Promise<HexRow[]> {
  return (await readAll(client, text)).rows
}

/** The same rows as pg reads them. */
export async function hexRowsOfPg(client: DatabaseClient, text: string): Promise<HexRow[]> {
  const types = { getTypeParser: () => (value: string) => value }
  const { rows } = await client.query<Array<string | null>>({
    text,
    rowMode: 'array',
    types,
  } as never)
  return rows.map(row => row.map(field => (field === null ? null : hex(field))))
}
