/**
 * Executes one statement on one session and pushes its rows to a reader. Knows pg, but neither definitions nor formats.
 *
 * It is what `client.query` takes and calls back for each message, as pg-cursor is. A read-only execution is one
 * transaction in one write with one final Sync: after an error the server skips the rest, and the session is in an
 * aborted transaction.
 */
import { DatabaseError, type FieldDef } from 'pg'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { cancelStatement } from './cancel.ts'
import { replicaProblem, transportError } from './classify-error.ts'
import { rollBack } from './connection.ts'
import type { RowTaker } from './data-row-tap.ts'
import type { ResultReader } from './result-reader.ts'
import type { DescribedColumn, DatabaseClient } from './database-client.ts'
import { statementBytes } from './statement-bytes.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly RawField[]
  /** Prepared on the session under this name; if undefined, planned for this execution alone. */
  readonly name?: string | undefined
  /** The reader needs the columns. */
  readonly describes: boolean
  /** True: in a separate read-only transaction, which is rolled back; else in the caller's. */
  readonly isReadOnly: boolean
  /** Commands without rows before it in that transaction. */
  readonly before: readonly Buffer[]
  /** Limit of the time spent waiting for the server; time of the reader does not count. Undefined: none. */
  readonly timeoutMs?: Milliseconds
}

/** What PostgreSQL or the transport reported; what the reader throws; the reason of `stop`. */
export interface Failure {
  readonly reason: unknown
}

/** What an execution calls. Only `begin` may throw. */
export interface ExecutionOwner<R extends ResultReader> {
  /** Called with the columns when the server has begun to send the result. */
  begin(columns: readonly DescribedColumn[]): R
  /** Called once: the reader has the result, or the execution has failed. */
  onEnd(failure: Failure | undefined): void
  /** Called once: the session is ready for another statement, or destroyed. */
  onIdle(): void
}

type Rows = readonly [bytes: Buffer, from: number, to: number]

export class Execution<R extends ResultReader> implements RowTaker {
  /**
   * The name for pg, once the commands before the statement are complete.
   * why: pg marks this name as parsed at any ParseComplete, also at those of the commands
   */
  name: string | undefined
  readonly text: string
  /** Defined once the server has begun to send the result. */
  reader: R | undefined
  failure: Failure | undefined
  private readonly client: DatabaseClient
  private readonly statement: Statement
  private readonly owner: ExecutionOwner<R>
  private statementName: string | undefined
  private columns: readonly DescribedColumn[] | undefined
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
  constructor(client: DatabaseClient, statement: Statement, owner: ExecutionOwner<R>) {
    this.client = client
    this.statement = statement
    this.owner = owner
    this.text = statement.text
    this.statementName = client.preparing.isOn ? statement.name : undefined
    void client.query(this)
    if (statement.timeoutMs === undefined) return
    this.waitsFrom = performance.now()
    this.timer = setTimeout(checkTimeout, statement.timeoutMs, this)
  }

  /** Ends it with this reason, unless it is complete: cancels the statement and reads nothing more. */
  stop(reason: unknown): void {
    if (this.isComplete || this.failure !== undefined) return
    this.endCancel = cancelStatement(this.client)
    this.fail(reason)
  }

  /** @returns an error, which pg hands to `handleError`: nothing was sent */
  submit(connection: DatabaseClient['connection']): Error | undefined {
    const { client, statement, statementName: name = '' } = this
    const { text, isReadOnly, before } = statement
    this.commandCount = isReadOnly ? 1 + before.length : 0
    this.name = this.commandCount === 0 ? name : undefined
    this.columns = client.columns.get(name)
    const isParsed = name !== '' && connection.parsedStatements[name] === text
    const describes = statement.describes && this.columns === undefined
    try {
      const bytes = statementBytes(statement, name, isParsed, describes)
      client.divertRows(this)
      connection.stream.write(bytes)
      return undefined
    } catch (error) {
      this.fail(error)
      return error as Error
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.columns = fields.map(field => Object.assign(field, { typeId: field.dataTypeID }))
    if (this.statementName !== undefined) this.client.columns.set(this.statementName, this.columns)
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

  handleReadyForQuery(): void {
    this.client.divertRows(undefined)
    this.complete()
    // why: the session may be given back while the reader is busy with the last rows
    if (this.held !== undefined) this.client.socket.resume()
    else if (this.ensureBegun()) this.finish()
    if (this.endCancel === undefined) this.owner.onIdle()
    else void this.endCancel().then(() => this.owner.onIdle())
  }

  handleError(error: Error): void {
    this.client.divertRows(undefined)
    void this.recover(error)
  }

  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  /** After an error the session becomes ready, unless it is broken. */
  private async recover(error: Error): Promise<void> {
    const { client } = this
    const mayBeRefused = this.statementName !== undefined && this.reader === undefined
    const isRefused = mayBeRefused && client.noteRefusal((error as { code?: string }).code)
    if (!isRefused) this.fail(error instanceof DatabaseError ? error : transportError(error))
    await this.endCancel?.()
    if (this.statement.isReadOnly) await rollBack(client)
    // why: it may have been stopped during the rollback
    await this.endCancel?.()
    if (this.failure === undefined) {
      this.statementName = undefined
      void client.query(this)
    } else {
      this.complete()
      this.owner.onIdle()
    }
  }

  private complete(): void {
    this.isComplete = true
    clearTimeout(this.timer)
  }

  private fail(reason: unknown): void {
    if (this.failure !== undefined) return
    this.failure = { reason }
    this.held = undefined
    if (!this.isComplete) this.client.socket.resume()
    this.owner.onEnd(this.failure)
  }

  /** Calls `begin` if it was not called before. @returns false if the execution has failed */
  private ensureBegun(): boolean {
    if (this.failure !== undefined) return false
    if (this.reader !== undefined) return true
    try {
      this.reader = this.owner.begin(this.columns ?? [])
      return true
    } catch (error) {
      this.endWith(error)
      return false
    }
  }

  /** The reader has failed, perhaps with rows that arrived before the end. */
  private endWith(error: unknown): void {
    if (this.isComplete) this.fail(error)
    else this.stop(error)
  }

  /** Reads nothing from the server until the reader has taken what arrived. */
  private async hold(busy: Promise<void>): Promise<void> {
    const held: Rows[] = (this.held = [])
    this.client.socket.pause()
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
    else this.client.socket.resume()
  }

  private finish(): void {
    try {
      const busy = this.reader!.end()
      if (busy === undefined) return this.owner.onEnd(undefined)
      const onEnd = (): void => this.owner.onEnd(undefined)
      busy.then(onEnd, (error: unknown) => this.fail(error))
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
