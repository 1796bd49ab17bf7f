/**
 * Executes one statement on one connection and pushes its rows to a reader. Knows pg; knows nothing of definitions,
 * formats or the cache.
 *
 * It is what `client.query` takes and calls back for each message, as pg-cursor is. A read-only execution is one
 * transaction in one write with one final Sync: after an error the server skips the rest, and the connection is in an
 * aborted transaction.
 */
import { DatabaseError } from 'pg'
import type { ClientBase, Connection, FieldDef } from 'pg'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { cancelStatement } from './cancel.ts'
import { replicaProblem, transportError } from './classify-error.ts'
import { rollBack, socketOf } from './connection.ts'
import { divertRows } from './data-row-tap.ts'
import type { RowTaker } from './data-row-tap.ts'
import { descriptionsOf, isPreparedStatementError } from './prepared.ts'
import type { Field } from './prepared.ts'
import type { ResultReader } from './result-reader.ts'
import { statementBytes } from './statement-bytes.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly RawField[]
  /** Prepared on the connection under this name; if undefined, planned for this execution alone. */
  readonly name?: string | undefined
  /** The reader needs the columns. */
  readonly describes: boolean
  /** True: in a separate read-only transaction, which is rolled back; else in the caller's. */
  readonly isReadOnly: boolean
  /** Commands without rows before it in that transaction. */
  readonly before?: readonly Buffer[]
  /** Limit of the time spent waiting for the server; time of the reader does not count. Undefined: none. */
  readonly timeoutMs?: Milliseconds
  /** The connection is destroyed after a cancel request, which a pooler may deliver late, to another statement. */
  readonly isPooled?: boolean
}

/** What an execution calls. Only `begin` may throw. */
export interface ExecutionOwner<R extends ResultReader> {
  /** Called with the columns when the server has begun to send the result. */
  begin(fields: readonly Field[]): R
  /** Called once: the connection is ready for another statement, or destroyed. */
  onIdle(): void
  /** Called with one of `PREPARED_ERRORS`; the statement is then executed without a name. */
  onRefused?(code: string): void
  onFields?(fields: readonly FieldDef[]): void
}

/** Members of pg's connection that its types omit. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  readonly stream: NodeJS.WritableStream
}

type Rows = readonly [bytes: Buffer, from: number, to: number]

const NO_COMMANDS: readonly Buffer[] = []

export class Execution<R extends ResultReader> implements RowTaker {
  /**
   * The name for pg, once the commands before the statement are complete.
   * why: pg marks this name as parsed at any ParseComplete, also at those of the commands
   */
  name: string | undefined
  readonly text: string
  /** The reader, after the last row. @throws what PostgreSQL or the transport reported; what the reader throws; the reason of `stop` */
  readonly result: Promise<R>
  /** Defined once the server has begun to send the result. */
  reader: R | undefined
  /** The first error, or the reason of `stop`. */
  failure: { readonly reason: unknown } | undefined

  private readonly client: ClientBase
  private readonly statement: Statement
  private readonly owner: ExecutionOwner<R>
  private resolve!: (reader: R) => void
  private reject!: (reason: unknown) => void
  private statementName: string | undefined
  private fields: readonly Field[] | undefined
  /** Commands before the statement that are not complete. */
  private commandCount = 0
  private isComplete = false
  /** Rows that arrived while the reader was busy; undefined while it is not. */
  private held: Rows[] | undefined
  private endCancel: (() => Promise<void>) | undefined
  private timer: NodeJS.Timeout | undefined
  private waitedMs: Milliseconds = 0
  private waitsFrom = 0

  /** Begins at once. */
  constructor(client: ClientBase, statement: Statement, owner: ExecutionOwner<R>) {
    this.client = client
    this.statement = statement
    this.owner = owner
    this.text = statement.text
    this.statementName = statement.name
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    if (statement.timeoutMs !== undefined) {
      this.waitsFrom = performance.now()
      this.timer = setTimeout(checkTimeout, statement.timeoutMs, this)
    }
    client.query(this)
  }

  /** Ends it with this reason, unless it is complete: cancels the statement and reads nothing more. */
  stop(reason: unknown): void {
    if (!this.isComplete) this.endWith(reason)
  }

  private endWith(reason: unknown): void {
    if (this.failure !== undefined) return
    if (!this.isComplete)
      this.endCancel = cancelStatement(this.client, this.statement.isPooled ?? false)
    this.fail(reason)
  }

  submit(connection: Connection): void {
    const { stream, parsedStatements } = connection as unknown as Wire
    const { text, values, isReadOnly, describes, before = NO_COMMANDS } = this.statement
    const name = this.statementName
    divertRows(connection, this)
    this.commandCount = isReadOnly ? 1 + before.length : 0
    this.name = this.commandCount === 0 ? name : undefined
    this.fields = name === undefined ? undefined : descriptionsOf(this.client).get(name)
    stream.write(
      statementBytes({
        name: name ?? '',
        textToParse: name !== undefined && parsedStatements[name] === text ? undefined : text,
        values,
        describes: describes && this.fields === undefined,
        isReadOnly,
        before,
      }),
    )
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.owner.onFields?.(fields)
    this.fields = fields.map(field => ({ name: field.name, typeId: field.dataTypeID }))
    if (this.statementName !== undefined)
      descriptionsOf(this.client).set(this.statementName, this.fields)
    this.ensureBegun()
  }

  handleCommandComplete(): void {
    this.commandCount -= 1
    if (this.commandCount === 0) this.name = this.statementName
  }

  takeRows(bytes: Buffer, from: number, to: number): void {
    if (this.held !== undefined) this.held.push([bytes, from, to])
    else if (this.ensureBegun()) {
      try {
        const busy = this.reader!.read(bytes, from, to)
        if (busy !== undefined) void this.hold(busy)
      } catch (error) {
        this.stop(error)
      }
    }
  }

  handleReadyForQuery(connection: Connection): void {
    divertRows(connection, undefined)
    this.isComplete = true
    clearTimeout(this.timer)
    // why: the connection may be released while the reader is busy with the last rows
    if (this.held !== undefined) socketOf(this.client).resume()
    else if (this.ensureBegun()) this.finish()
    if (this.endCancel === undefined) this.owner.onIdle()
    else void this.endCancel().then(() => this.owner.onIdle())
  }

  handleError(error: Error, connection: Connection): void {
    divertRows(connection, undefined)
    void this.recover(error)
  }

  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('nothing to copy')
  }

  /** After an error the connection becomes ready, unless it is broken. */
  private async recover(error: Error): Promise<void> {
    const { code } = error as { code?: string }
    const isStale =
      this.statementName !== undefined &&
      this.reader === undefined &&
      isPreparedStatementError(code)
    if (isStale) this.owner.onRefused?.(code)
    else this.fail(error instanceof DatabaseError ? error : transportError(error))
    await this.endCancel?.()
    if (this.statement.isReadOnly) await rollBack(this.client)
    // why: it may have been stopped during the rollback
    await this.endCancel?.()
    if (this.failure === undefined) {
      this.statementName = undefined
      this.client.query(this)
      return
    }
    this.isComplete = true
    clearTimeout(this.timer)
    this.owner.onIdle()
  }

  private fail(reason: unknown): void {
    if (this.failure !== undefined) return
    this.failure = { reason }
    this.held = undefined
    if (!this.isComplete) socketOf(this.client).resume()
    this.reject(reason)
  }

  /** Calls `begin` if it was not called before. @returns false if the execution has failed */
  private ensureBegun(): boolean {
    if (this.failure !== undefined) return false
    if (this.reader !== undefined) return true
    try {
      this.reader = this.owner.begin(this.fields ?? [])
      return true
    } catch (error) {
      this.endWith(error)
      return false
    }
  }

  /** Reads nothing from the server until the reader has taken what arrived. */
  private async hold(busy: Promise<void>): Promise<void> {
    const held: Rows[] = (this.held = [])
    socketOf(this.client).pause()
    this.waitedMs += performance.now() - this.waitsFrom
    try {
      await busy
      for (let next = held.shift(); next !== undefined && !this.failure; next = held.shift())
        await this.reader!.read(...next)
    } catch (error) {
      this.endWith(error)
    }
    if (this.failure !== undefined) return
    this.held = undefined
    this.waitsFrom = performance.now()
    if (this.isComplete) this.finish()
    else socketOf(this.client).resume()
  }

  private finish(): void {
    try {
      const busy = this.reader!.end()
      if (busy === undefined) this.resolve(this.reader!)
      else
        busy.then(
          () => this.resolve(this.reader!),
          (error: unknown) => this.fail(error),
        )
    } catch (error) {
      this.fail(error)
    }
  }

  checkTimeout(): void {
    const { timeoutMs = 0 } = this.statement
    const waitsMs = this.held === undefined ? performance.now() - this.waitsFrom : 0
    const leftMs = timeoutMs - this.waitedMs - waitsMs
    // why: a timer may fire a fraction of a millisecond early
    if (leftMs < 1) this.stop(replicaProblem('report_timeout', undefined))
    else this.timer = setTimeout(checkTimeout, leftMs, this)
  }
}

function checkTimeout(execution: { checkTimeout(): void }): void {
  execution.checkTimeout()
}
