/**
 * Executes one statement on one session and pushes its rows to a reader. Knows pg, but neither definitions nor formats.
 *
 * It is what `client.query` takes and calls back for each message, as pg-cursor is. A read-only execution is one
 * transaction in one write with one final Sync: after an error the server skips the rest, and the session is in an
 * aborted transaction.
 */
import { DatabaseError, type FieldDef } from 'pg'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds, RawField } from '../../model/terms.ts'
import { replicaProblem, transportError } from './classify-error.ts'
import { rollBack } from './connection.ts'
import type { RowTaker } from './data-row-tap.ts'
import type { ResultReader } from './result-reader.ts'
import type { DescribedColumn, DatabaseClient } from './database-client.ts'
import { statementBytes } from './statement-bytes.ts'
import { startTimeout } from './timeout.ts'

export interface Statement {
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
}

/** What PostgreSQL or the transport reported; what the reader throws; the reason of `stop`. */
interface Failure {
  readonly reason: unknown
}

/** Called with the columns when the server has begun to send the result. */
type Begin<R> = (columns: readonly DescribedColumn[]) => R

/**
 * The reader, once it has all rows and the session is idle.
 * @throws what PostgreSQL or the transport reported, after the rollback; what the reader throws and the reason of the
 *   stop, after the session was closed
 */
export function executeOn<R extends ResultReader>(
  client: DatabaseClient,
  statement: Statement,
  begin: Begin<R>,
  stop?: Stop,
): Promise<R> {
  return new Promise((resolve, reject) => {
    let remove: (() => void) | undefined
    const execution: Execution<R> = new Execution(client, statement, begin, failure => {
      remove?.()
      if (failure === undefined) resolve(execution.reader!)
      else reject(failure.reason)
    })
    remove = stop?.onStop(reason => execution.stop(reason))
  })
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
  private failure: Failure | undefined
  private readonly client: DatabaseClient
  private readonly statement: Statement
  private readonly begin: Begin<R>
  private readonly onEnd: (failure: Failure | undefined) => void
  private statementName: string | undefined
  private columns: readonly DescribedColumn[] | undefined
  /** Commands before the statement that are not complete. */
  private commandCount = 0
  private isComplete = false
  /** Rows that arrived while the reader was busy; undefined while it is not. */
  private held: Rows[] | undefined
  private readonly timeout: ReturnType<typeof startTimeout> | undefined

  /** Begins at once. @param onEnd is called once: the reader has all rows, or it has failed */
  constructor(
    client: DatabaseClient,
    statement: Statement,
    begin: Begin<R>,
    onEnd: (failure: Failure | undefined) => void,
  ) {
    this.client = client
    this.statement = statement
    this.begin = begin
    this.onEnd = onEnd
    this.text = statement.text
    this.statementName = client.server.isPooled ? undefined : statement.name
    void client.query(this)
    if (statement.timeoutMs === undefined) return
    const late = (): void => this.stop(replicaProblem('report_timeout', undefined))
    this.timeout = startTimeout(statement.timeoutMs, late)
  }

  /**
   * Ends it with this reason. A statement that is not complete is ended by the server, since its session is closed.
   * why: a cancel request may arrive late, and end the next statement of the session, whose rows would overwrite those
   * that the reader is busy with
   */
  stop(reason: unknown): void {
    const isBusy = this.held !== undefined
    if ((isBusy || !this.isComplete) && this.failure === undefined) this.client.abort()
    this.end({ reason })
  }

  submit(connection: DatabaseClient['connection']): void {
    const { client, statement, statementName: name = '' } = this
    const { text, isReadOnly } = statement
    const { localSettings } = client
    const before =
      localSettings.length === 0 ? statement.before : [...localSettings, ...statement.before]
    this.commandCount = isReadOnly ? 1 + before.length : 0
    this.name = this.commandCount === 0 ? name : undefined
    this.columns = client.columns.get(name)
    const isParsed = name !== '' && connection.parsedStatements[name] === text
    const bytes = statementBytes(statement, before, name, isParsed, this.columns === undefined)
    client.divertRows(this)
    connection.stream.write(bytes)
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
    this.isComplete = true
    // why: the reader may be busy with the last rows
    if (this.held === undefined && this.ensureBegun()) this.end(undefined)
  }

  handleError(error: Error): void {
    this.client.divertRows(undefined)
    if (this.failure === undefined) void this.recover(error)
  }

  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  /** After an error the session becomes ready, unless it is broken. */
  private async recover(error: Error): Promise<void> {
    const { client } = this
    const mayBeRefused = this.statementName !== undefined && this.reader === undefined
    const isRefused = mayBeRefused && client.noteRefusal((error as { code?: string }).code)
    if (this.statement.isReadOnly) await rollBack(client)
    // why: it may have been stopped during the rollback
    if (this.failure !== undefined) return
    if (!isRefused) {
      this.end({ reason: error instanceof DatabaseError ? error : transportError(error) })
    } else {
      this.statementName = undefined
      void client.query(this)
    }
  }

  private end(failure: Failure | undefined): void {
    if (this.failure !== undefined) return
    this.failure = failure
    this.client.isReading = false
    this.timeout?.stop()
    this.onEnd(failure)
  }

  /** Calls `begin` if it was not called before. @returns false if the execution has failed */
  private ensureBegun(): boolean {
    if (this.failure !== undefined) return false
    if (this.reader !== undefined) return true
    try {
      this.client.isReading = true
      this.reader = this.begin(this.columns ?? [])
      return true
    } catch (error) {
      this.stop(error)
      return false
    }
  }

  /** Reads nothing from the server until the reader has taken what arrived. */
  private async hold(busy: Promise<void>): Promise<void> {
    const held: Rows[] = (this.held = [])
    this.client.socket.pause()
    this.timeout?.stop()
    try {
      await busy
      for (let next = held.shift(); next !== undefined && !this.failure; next = held.shift())
        await this.reader!.read(...next)
      this.held = undefined
    } catch (error) {
      this.held = undefined
      this.stop(error)
    }
    if (this.failure === undefined) this.timeout?.start()
    this.client.socket.resume()
    // why: the server may have closed the session meanwhile, which is noticed in the next turn
    if (this.isComplete && this.failure === undefined) setImmediate(() => this.end(undefined))
  }
}
