// Connections whose rows arrive in given pieces, and the rows of executions on them.
import { Client } from 'pg'
import { tapDataRows } from '../../src/serve/database/data-row-tap.ts'
import { execute, type ExecuteOptions, type Execution } from '../../src/serve/database/execution.ts'
import type { RowBytes } from '../../src/model/row-bytes.ts'
import { createRowReader, forEachRow } from '../../src/model/row-reader.ts'

/** Returns the sizes of the pieces of a packet. */
export type Cut = (length: number) => Iterable<number>

/** A connected client, which the caller has to end. */
export async function connected(connectionString: string, cut?: Cut): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  tapDataRows(client)
  await client.connect()
  if (cut !== undefined) cutPackets(connectionStream(client), cut)
  return client
}

export function connectionStream(client: Client): NodeJS.ReadableStream {
  return (client as unknown as { connection: { stream: NodeJS.ReadableStream } }).connection.stream
}

/** The same bytes in smaller pieces. */
function cutPackets(stream: NodeJS.EventEmitter, cut: Cut): void {
  const emit = stream.emit.bind(stream)
  stream.emit = (event: string | symbol, ...rest: unknown[]): boolean => {
    const [chunk] = rest
    if (event !== 'data' || !Buffer.isBuffer(chunk)) return emit(event, ...rest)
    let at = 0
    for (const size of cut(chunk.length)) {
      if (at < chunk.length) emit('data', Buffer.from(chunk.subarray(at, at + size)))
      at += size
    }
    if (at < chunk.length) emit('data', Buffer.from(chunk.subarray(at)))
    return true
  }
}

/** Splits into pieces of one size. */
export function slices(size: number): Cut {
  return length => Array.from({ length: Math.ceil(length / size) }, () => size)
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

export interface Read {
  readonly names: string[]
  readonly rows: HexRow[]
}

/** @param onRow may throw */
export async function read(
  { fields, batches }: Execution,
  onRow: (rowCount: number) => void = () => {},
): Promise<Read> {
  const rows: HexRow[] = []
  const reader = createRowReader()
  for await (const batch of batches) {
    forEachRow(reader, batch, row => {
      rows.push(hexOf(row))
      onRow(rows.length)
    })
  }
  return { names: fields.map(({ name }) => name), rows }
}

/** An execution with default options. */
export function begin(
  client: Client,
  text: string,
  {
    signal = new AbortController().signal,
    ...more
  }: Partial<ExecuteOptions> & { signal?: AbortSignal } = {},
): ReturnType<typeof execute> {
  return execute(client, { text, values: [], timeoutMs: 15_000, readOnly: true, ...more }, signal)
}

/** Reads all rows, and waits until the connection is ready. */
export async function readAll(
  client: Client,
  text: string,
  { onRow, ...more }: Parameters<typeof begin>[2] & { onRow?: (rowCount: number) => void } = {},
): Promise<Read> {
  const { started, idle } = begin(client, text, more)
  try {
    return await read(await started, onRow)
  } finally {
    await idle
  }
}

export async function hexRows(client: Client, text: string): Promise<HexRow[]> {
  return (await readAll(client, text)).rows
}

/** The same rows as pg reads them. */
export async function hexRowsOfPg(client: Client, text: string): Promise<HexRow[]> {
  const types = { getTypeParser: () => (value: string) => value }
  const { rows } = await client.query<Array<string | null>>({
    text,
    rowMode: 'array',
    types,
  } as never)
  return rows.map(row => row.map(field => (field === null ? null : hex(field))))
}
