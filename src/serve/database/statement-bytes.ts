/**
 * The messages of a statement, in one Buffer.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import type { RawField } from '../../model/terms.ts'
import { BEGIN } from './session-settings.ts'

interface StatementMessages {
  /** Of the prepared statement; empty is unnamed. */
  readonly name: string
  /** Undefined if the connection has it already. */
  readonly textToParse: string | undefined
  readonly values: readonly RawField[]
  /** The server describes the columns. */
  readonly describes: boolean
  /** In a read-only transaction, which is rolled back. */
  readonly isReadOnly: boolean
  /** Commands of that transaction before the statement. @see command */
  readonly before: readonly Buffer[]
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
const NONE = Buffer.alloc(0)
const NULL = -1

/** Bind without its texts: type, length, two ends of names and three counts. */
const BIND_BYTES = 1 + 4 + 2 + 3 * 2

/** Encoded and sent at once: one write is one packet, and 15 us less than one for each message. */
export function statementBytes(statement: StatementMessages): Buffer {
  const { name, textToParse, values, before } = statement
  const parse = textToParse === undefined ? NONE : message('P', `${name}\0${textToParse}\0\0\0`)
  const lengths = values.map(value => (value === null ? NULL : Buffer.byteLength(value)))
  const bindLength =
    BIND_BYTES + name.length + lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 0)
  const head = statement.isReadOnly ? [BEGIN_READ_ONLY, ...before, parse] : [parse]
  const describe = statement.describes ? DESCRIBE_PORTAL : NONE
  const end = statement.isReadOnly ? ROLLBACK_AND_SYNC : SYNC
  const tail = [describe, EXECUTE, end]
  const bytes = Buffer.allocUnsafe(bindLength + byteLength(head) + byteLength(tail))
  let at = append(bytes, 0, head)
  at = bytes.writeUInt8(0x42, at)
  at = bytes.writeUInt32BE(bindLength - 1, at)
  at = bytes.writeUInt8(0, at)
  at += bytes.write(`${name}\0`, at, 'latin1')
  at = bytes.writeUInt16BE(0, at)
  at = bytes.writeUInt16BE(values.length, at)
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index]!, at)
    if (value !== null) at += bytes.write(value, at)
  }
  at = bytes.writeUInt16BE(0, at)
  append(bytes, at, tail)
  return bytes
}

function byteLength(parts: readonly Buffer[]): number {
  let length = 0
  for (const part of parts) length += part.length
  return length
}

/** @returns the offset after the parts */
function append(bytes: Buffer, at: number, parts: readonly Buffer[]): number {
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return at
}
