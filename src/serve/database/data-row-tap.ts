/**
 * Diverts rows of a connection as bytes, before pg decodes them. This file depends on an internal of pg, so
 * package.json pins its version: `attachListeners` of a client's connection adds one `data` listener to the
 * stream, which feeds pg's parser.
 */
import type { Duplex } from 'node:stream'

export interface RowTaker {
  /**
   * Takes consecutive DataRow messages, which are valid until the socket reads again: in this turn of the event loop, and
   * while it is paused.
   * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
   */
  takeRows(bytes: Buffer, from: number, to: number, count: number): void
  /** Called when everything that the socket has read was passed on. */
  afterRead(): void
}

type Listener = (chunk: Buffer) => void

const DATA_ROW = 0x44
/** One byte of type, four of length; the length includes itself, not the type. */
const HEADER_LENGTH = 5
const PARTIAL_BYTES = 64 * 1024

/**
 * Call it before the client connects: message boundaries are known only from the first byte on.
 * @returns from its call on, the argument gets the rows of the connection instead of pg; undefined ends it
 * @throws Error if pg has another version.
 */
export function tapDataRows(tapped: object): (taker: RowTaker | undefined) => void {
  const connection = tapped as { attachListeners?: (stream: Duplex) => void }
  const attach = connection.attachListeners
  let taker: RowTaker | undefined
  if (typeof attach !== 'function') throw unexpectedPg()
  connection.attachListeners = stream => {
    const before = new Set(stream.listeners('data'))
    attach.call(connection, stream)
    const [toParser, ...others] = stream.listeners('data').filter(one => !before.has(one))
    if (toParser === undefined || others.length > 0 || before.size > 0) throw unexpectedPg()
    const receive = createTap(toParser as Listener, () => taker)
    stream.off('data', toParser as Listener)
    stream.on('data', (chunk: Buffer) => {
      try {
        receive(chunk)
        taker?.afterRead()
      } catch (error) {
        // why: the parser throws on unknown messages, which would end the process
        stream.destroy(error as Error)
      }
    })
  }
  return to => void (taker = to)
}

function unexpectedPg(): Error {
  return new Error('found an unexpected version of pg, expected the version of package.json')
}

/** @param pass takes whole messages, in order, except for rows that the taker takes */
function createTap(pass: Listener, takerNow: () => RowTaker | undefined): Listener {
  /** The beginning of an incomplete message. */
  let partial = Buffer.allocUnsafeSlow(PARTIAL_BYTES)
  let partialLength = 0

  function append(chunk: Buffer, from: number, to: number): void {
    const needed = partialLength + to - from
    if (needed > partial.length) {
      // why: grows with the received bytes, not with the announced length, which may be any number
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, partial.length * 2))
      partial.copy(larger, 0, 0, partialLength)
      partial = larger
    }
    chunk.copy(partial, partialLength, from, to)
    partialLength = needed
  }

  /** @returns offset of the next message in the chunk; the chunk's end if the message is still incomplete */
  function complete(chunk: Buffer): number {
    let at = 0
    if (partialLength < HEADER_LENGTH) {
      at = Math.min(HEADER_LENGTH - partialLength, chunk.length)
      append(chunk, 0, at)
      if (partialLength < HEADER_LENGTH) return at
    }
    const length = messageLength(partial, 0)
    const end = Math.min(at + Math.max(length - partialLength, 0), chunk.length)
    append(chunk, at, end)
    if (partialLength < length) return end
    partialLength = 0
    // why: the receiver may retain a message while the next one arrives
    deliver(Buffer.from(partial.subarray(0, length)), 0, length, 1)
    if (partial.length > PARTIAL_BYTES) partial = Buffer.allocUnsafeSlow(PARTIAL_BYTES)
    return end
  }

  /** The messages are all rows, or none of them. */
  function deliver(bytes: Buffer, from: number, to: number, count: number): void {
    const taker = takerNow()
    if (taker !== undefined && bytes[from] === DATA_ROW) taker.takeRows(bytes, from, to, count)
    else pass(bytes.subarray(from, to))
  }

  return chunk => {
    let from = partialLength > 0 ? complete(chunk) : 0
    let at = from
    let count = 0
    while (at + HEADER_LENGTH <= chunk.length) {
      const end = at + messageLength(chunk, at)
      if (end > chunk.length) break
      const isOther = (chunk[at] === DATA_ROW) !== (chunk[from] === DATA_ROW)
      if (isOther && takerNow() !== undefined) {
        deliver(chunk, from, at, count)
        from = at
        count = 0
      }
      count += 1
      at = end
    }
    if (at > from) deliver(chunk, from, at, count)
    if (at < chunk.length) append(chunk, at, chunk.length)
  }
}

function messageLength(bytes: Buffer, at: number): number {
  return 1 + bytes.readUInt32BE(at + 1)
}
