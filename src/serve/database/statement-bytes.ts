/** The messages of a statement, in one Buffer. */
import { serialize } from 'pg-protocol'
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
  return Buffer.concat([serialize.parse({ text }), serialize.bind(), EXECUTE])
}

const EXECUTE = serialize.execute()
// measured: encoded in advance, the two cost the gateway 3 us per execution instead of 8; they cost the server 7 us
const BEGIN_READ_ONLY = command(BEGIN)
const ROLLBACK_AND_SYNC = Buffer.concat([command('rollback'), serialize.sync()])

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
  if (!isParsed) parts.push(serialize.parse({ name, text }))
  parts.push(serialize.bind({ statement: name, values: values as RawField[] }))
  if (describes) parts.push(serialize.describe({ type: 'P' }))
  parts.push(EXECUTE, isReadOnly ? ROLLBACK_AND_SYNC : serialize.sync())
  return Buffer.concat(parts)
}
