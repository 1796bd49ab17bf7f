/**
 * The messages of a statement, in one Buffer.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import type { Instant, Milliseconds, RawField } from '../../model/terms.ts'
import { BEGIN } from './session-settings.ts'

/** What is executed on one session. */
export interface SessionStatement {
  readonly text: string
  readonly values: readonly RawField[]
  /** Prepared on the session under this name; if undefined, planned for this execution alone. */
  readonly name?: string | undefined
  /** True: in a separate read-only transaction, which is rolled back; else in the caller's. */
  readonly isReadOnly: boolean
  /** Commands without rows before it in that transaction. */
  readonly before: readonly Buffer[]
  /** Limit of the time spent waiting for the server; time of the reader does not count. Undefined: none. */
  readonly timeoutMs?: Milliseconds
  /** True: a server that takes longer is taken for unreachable; else the statement is too slow. */
  readonly isShort?: boolean
  /** @see Rows.dataAsOf */
  readonly dataAsOf?: Instant | undefined
}

/** Parse, Bind and Execute of a command without values and without rows. */
export function command(text: string): Buffer {
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

// measured: encoded in advance, the two cost the gateway 3 us per execution instead of 8; they cost the server 7 us
const BEGIN_READ_ONLY = command(BEGIN)
const SYNC = message('S', '')
const ROLLBACK_AND_SYNC = Buffer.concat([command('rollback'), SYNC])
const DESCRIBE_PORTAL = message('D', 'P\0')
const EXECUTE = message('E', '\0\0\0\0\0')
const NULL = -1

/** Bind without its texts: type, length, two ends of names and three counts. */
const BIND_BYTES = 1 + 4 + 2 + 3 * 2

/**
 * Encoded and sent at once: one write is one packet, and 15 us less than one for each message.
 * @param name of the prepared statement; empty is unnamed
 * @param isParsed whether the session has it already
 * @param describes whether the server describes the columns
 */
export function statementBytes(
  { text, values, isReadOnly }: SessionStatement,
  before: readonly Buffer[],
  name: string,
  isParsed: boolean,
  describes: boolean,
): Buffer {
  const parts = isReadOnly ? [BEGIN_READ_ONLY, ...before] : []
  if (!isParsed) parts.push(message('P', `${name}\0${text}\0\0\0`))
  parts.push(bindMessage(name, values))
  if (describes) parts.push(DESCRIBE_PORTAL)
  parts.push(EXECUTE, isReadOnly ? ROLLBACK_AND_SYNC : SYNC)
  return Buffer.concat(parts)
}

function bindMessage(name: string, values: readonly RawField[]): Buffer {
  let length = BIND_BYTES + name.length
  for (const value of values) length += 4 + (value === null ? 0 : Buffer.byteLength(value))
  const bytes = Buffer.allocUnsafe(length)
  let at = bytes.writeUInt8(0x42, 0)
  at = bytes.writeUInt32BE(length - 1, at)
  at += bytes.write(`\0${name}\0\0\0`, at, 'latin1')
  at = bytes.writeUInt16BE(values.length, at)
  for (const value of values) {
    const valueLength = value === null ? NULL : bytes.write(value, at + 4)
    at = bytes.writeInt32BE(valueLength, at) + Math.max(0, valueLength)
  }
  bytes.writeUInt16BE(0, at)
  return bytes
}
