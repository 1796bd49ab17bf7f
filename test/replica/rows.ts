// Connections whose rows come by the tap or by way of pg, in whatever pieces, and sinks that keep what they are given.
import { Client } from 'pg'
import { dataRowTapOf, tapDataRows } from '../../src/serve/replica/data-row-tap.ts'
import { runStatement, type Run, type RowSink } from '../../src/serve/replica/run-statement.ts'
import type { RowBytes } from '../../src/model/row-bytes.ts'

export type Way = 'tap' | 'pg'

/** Answers the sizes of the pieces that a packet is cut into. */
export type Cut = (length: number) => Iterable<number>

/** A client that is ready; it has to be ended. */
export async function connected(connectionString: string, way: Way, cut?: Cut): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  if (way === 'tap') tapDataRows(client)
  await client.connect()
  if (cut !== undefined) cutPackets(connectionStream(client), cut)
  const { connection } = client as unknown as { connection: object }
  const found = dataRowTapOf(connection) ? 'tap' : 'pg'
  if (found !== way) throw new Error(`rows come by ${found}, expected ${way}`)
  return client
}

export function connectionStream(client: Client): NodeJS.ReadableStream {
  return (client as unknown as { connection: { stream: NodeJS.ReadableStream } }).connection.stream
}

/** The same bytes, in smaller pieces than they came. */
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

/** All of it in pieces of one size. */
export function slices(size: number): Cut {
  return length => Array.from({ length: Math.ceil(length / size) }, () => size)
}

/** Every field in hexadecimal digits; null is SQL's null. */
export type HexRow = ReadonlyArray<string | null>

export interface Kept extends RowSink {
  readonly names: string[]
  readonly rows: HexRow[]
}

/** @param onRow may throw, and may ask for a pause */
export function keepingSink(onRow: (rowCount: number) => boolean = () => true): Kept {
  const names: string[] = []
  const rows: HexRow[] = []
  return {
    names,
    rows,
    begin: ({ fields }) => void names.push(...fields.map(({ name }) => name)),
    row(row) {
      rows.push(hexOf(row))
      return onRow(rows.length)
    },
    rowCount: () => rows.length,
  }
}

function hexOf({ bytes, starts, ends, fieldCount }: RowBytes): HexRow {
  return Array.from({ length: fieldCount }, (_, place) =>
    starts[place] === -1 ? null : bytes.toString('hex', starts[place], ends[place]),
  )
}

export function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

/** Runs a statement with nothing special about it. */
export function runFor(
  client: Client,
  text: string,
  sink: RowSink,
  more: Partial<Run> = {},
): Promise<void> {
  const { signal } = new AbortController()
  const run = { text, values: [], timeoutMs: 15_000, dataAsOf: undefined, signal, readOnly: true }
  return runStatement(client, { ...run, sink, ...more })
}

export async function hexRows(client: Client, text: string): Promise<HexRow[]> {
  const sink = keepingSink()
  await runFor(client, text, sink)
  return sink.rows
}
