/**
 * Takes the bytes of rows out of a connection before pg makes strings of them. This file alone leans
 * on what pg does not promise, which is why package.json names one version of it: `attachListeners`
 * of a client's connection sets one `data` listener on the stream, which feeds pg's parser. Where
 * that is not what is found, the connection is left as it is, and rows come by way of pg.
 */
import type { ClientBase } from 'pg'

/** A row's message lies in `bytes`; its fields begin at `start`. Valid during the call. Never throws. */
export type TakeRow = (bytes: Buffer, start: number, end: number) => void

export interface DataRowTap {
  /** From now on rows go there and not to pg; undefined ends it. */
  divert(take: TakeRow | undefined): void
}

interface Connection {
  attachListeners?: (this: Connection, stream: NodeJS.EventEmitter) => void
}

interface Destroyable {
  destroy(error: Error): void
}

type Listener = (chunk: Buffer) => void

const DATA_ROW = 0x44
/** One byte of type, four of length: the length counts itself and not the type. */
const HEADER_LENGTH = 5
const HELD_BYTES = 64 * 1024

const taps = new WeakMap<object, DataRowTap>()

/** The tap of a client's connection; undefined where there is none, or before it is connected. */
export function dataRowTapOf(connection: object): DataRowTap | undefined {
  return taps.get(connection)
}

/** Before the client connects: boundaries of messages are known from the first byte only. */
export function tapDataRows(client: ClientBase): void {
  const { connection } = client as unknown as { connection?: Connection }
  const attach = connection?.attachListeners
  if (connection === undefined || typeof attach !== 'function') return
  connection.attachListeners = stream => {
    const before = new Set(stream.listeners('data'))
    attach.call(connection, stream)
    const [toParser, ...others] = stream.listeners('data').filter(one => !before.has(one))
    if (toParser === undefined || others.length > 0 || before.size > 0) return
    const { receive, tap } = createTap(toParser as Listener)
    stream.off('data', toParser as Listener)
    stream.on('data', (chunk: Buffer) => {
      try {
        receive(chunk)
      } catch (error) {
        // why: the parser throws what it does not know, and a server that talks so would end the process
        ;(stream as unknown as Destroyable).destroy(error as Error)
      }
    })
    taps.set(connection, tap)
  }
}

/** @param pass takes whole messages, in order */
function createTap(pass: Listener): { readonly receive: Listener; readonly tap: DataRowTap } {
  let take: TakeRow | undefined
  /** What has come of a message whose rest has not. */
  let held = Buffer.allocUnsafeSlow(HELD_BYTES)
  let heldLength = 0

  function hold(chunk: Buffer, from: number, to: number): void {
    const needed = heldLength + to - from
    if (needed > held.length) {
      // why: by what has come, and not by the length that is announced, which may be any
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, held.length * 2))
      held.copy(larger, 0, 0, heldLength)
      held = larger
    }
    chunk.copy(held, heldLength, from, to)
    heldLength = needed
  }

  /** Answers where the next message begins in the chunk, which is its end where more has to come. */
  function complete(chunk: Buffer): number {
    let at = 0
    if (heldLength < HEADER_LENGTH) {
      at = Math.min(HEADER_LENGTH - heldLength, chunk.length)
      hold(chunk, 0, at)
      if (heldLength < HEADER_LENGTH) return at
    }
    const length = messageLength(held, 0)
    const end = Math.min(at + Math.max(length - heldLength, 0), chunk.length)
    hold(chunk, at, end)
    if (heldLength < length) return end
    heldLength = 0
    if (take !== undefined && held[0] === DATA_ROW) take(held, HEADER_LENGTH, length)
    // why: pg may keep what it was given
    else pass(Buffer.from(held.subarray(0, length)))
    if (held.length > HELD_BYTES) held = Buffer.allocUnsafeSlow(HELD_BYTES)
    return end
  }

  function receive(chunk: Buffer): void {
    const { length: chunkLength } = chunk
    let at = heldLength > 0 ? complete(chunk) : 0
    let passedTo = at
    const passUpTo = (end: number): void => {
      if (passedTo === end) return
      const messages = chunk.subarray(passedTo, end)
      passedTo = end
      pass(messages)
    }
    while (at + HEADER_LENGTH <= chunkLength) {
      const end = at + messageLength(chunk, at)
      if (end > chunkLength) break
      if (take !== undefined && chunk[at] === DATA_ROW) {
        passUpTo(at)
        // why: what was passed may have ended the run, and its rows are pg's again
        if (take === undefined) continue
        take(chunk, at + HEADER_LENGTH, end)
        passedTo = end
      }
      at = end
    }
    passUpTo(at)
    if (at < chunkLength) hold(chunk, at, chunkLength)
  }

  return { receive, tap: { divert: to => void (take = to) } }
}

function messageLength(bytes: Buffer, at: number): number {
  return 1 + bytes.readUInt32BE(at + 1)
}
