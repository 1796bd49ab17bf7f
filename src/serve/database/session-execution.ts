/**
 * Executes one statement on one session. Knows pg, but neither definitions nor formats.
 *
 * It is what `client.query` takes and calls back for each message, as pg-cursor is. A read-only execution is one
 * transaction in one write with one final Sync: after an error the server skips the rest, and the session is in an
 * aborted transaction.
 */
import { DatabaseError, type FieldDef } from 'pg'
import type { Stop } from '../../model/stop.ts'
import type { Instant } from '../../model/terms.ts'
import { replicaProblem, transportError } from './classify-error.ts'
import type { RowTaker } from './data-row-tap.ts'
import type { Rows } from './rows.ts'
import type { DescribedColumn, DatabaseClient } from './database-client.ts'
import { statementBytes, type SessionStatement } from './statement-bytes.ts'
import { Timeout } from './timeout.ts'

/** Waits for the first messages, or for the next ones. */
interface Waiter {
  readonly resolve: (batch: Buffer | undefined) => void
  readonly reject: (reason: unknown) => void
}

const NO_ROWS = Buffer.alloc(0)

/**
 * Its rows, once the whole result has arrived, or the first part of a longer one.
 * @param onIdle is called once, when the session executes nothing more for it and its messages have been taken
 * @throws what PostgreSQL or the transport reported, after the rollback; the reason of the stop, after the session was
 *   closed
 */
export function executeOnSession(
  client: DatabaseClient,
  statement: SessionStatement,
  stop?: Stop,
  onIdle: () => void = () => {},
): Promise<SessionExecution> {
  return new Promise((resolve, reject) => {
    const execution: SessionExecution = new SessionExecution(client, statement, stop, onIdle, {
      resolve: () => resolve(execution),
      reject,
    })
  })
}

export class SessionExecution implements Rows, RowTaker {
  /**
   * The name for pg, once the commands before the statement are complete.
   * why: pg marks this name as parsed at any ParseComplete, also at those of the commands
   */
  name: string | undefined
  readonly text: string
  readonly dataAsOf: Instant | undefined
  fields: readonly DescribedColumn[] = []
  first: Buffer = NO_ROWS
  isWhole = false
  /** Counts the rows of all messages so far. */
  rowCount = 0
  /** What PostgreSQL or the transport reported; the time-out; the reason of the stop. */
  private failure: unknown
  private readonly client: DatabaseClient
  private readonly statement: SessionStatement
  private readonly onIdle: () => void
  private readonly removeStop: (() => void) | undefined
  private statementName: string | undefined
  /** Commands before the statement that are not complete. */
  private commandCount = 0
  private hasBegun = false
  /** The server has sent everything. */
  private isComplete = false
  private isIdle = false
  private isDrained = false
  private waiter: Waiter | undefined
  /** Messages that nothing has taken. While there are any, and until they are used, nothing is read. */
  private readonly batches: Buffer[] = []
  private readonly timeout: Timeout | undefined

  /** Begins at once. @param waiter for `first` */
  constructor(
    client: DatabaseClient,
    statement: SessionStatement,
    stop: Stop | undefined,
    onIdle: () => void,
    waiter: Waiter,
  ) {
    this.client = client
    this.statement = statement
    this.onIdle = onIdle
    this.waiter = waiter
    this.text = statement.text
    this.dataAsOf = statement.dataAsOf
    this.statementName = client.peer.isPooled ? undefined : statement.name
    void client.query(this)
    if (statement.timeoutMs !== undefined)
      this.timeout = new Timeout(statement.timeoutMs, error => this.endLate(error))
    this.removeStop = stop?.onStop(reason => this.stop(reason))
  }

  async next(): Promise<Buffer | undefined> {
    if (this.failure !== undefined) throw this.failure
    const batch = this.batches.shift()
    if (batch !== undefined || this.isDrained) return batch
    if (this.isComplete) {
      this.endInNextTurn()
      return undefined
    }
    this.client.socket.resume()
    this.timeout?.start()
    return new Promise((resolve, reject) => (this.waiter = { resolve, reject }))
  }

  /**
   * Ends it with this reason, unless all messages have been taken. The server ends the statement, since its session is closed.
   * why: a cancel request may arrive late, and end the next statement of the session, whose rows would overwrite those
   * that the reader is busy with
   */
  stop(reason: unknown): void {
    if (this.isIdle || this.isDrained) return
    this.client.abort()
    this.end(reason)
  }

  submit(connection: DatabaseClient['connection']): void {
    const { client, statement, statementName: name = '' } = this
    const { text, isReadOnly } = statement
    const { localSettings } = client
    const before =
      localSettings.length === 0 ? statement.before : [...localSettings, ...statement.before]
    this.commandCount = isReadOnly ? 1 + before.length : 0
    this.name = this.commandCount === 0 ? name : undefined
    const known = client.columns.get(name)
    this.fields = known ?? []
    const isParsed = name !== '' && connection.parsedStatements[name] === text
    const bytes = statementBytes(statement, before, name, isParsed, known === undefined)
    client.divertRows(this)
    connection.stream.write(bytes)
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.fields = fields.map(field => Object.assign(field, { typeId: field.dataTypeID }))
    if (this.statementName !== undefined) this.client.columns.set(this.statementName, this.fields)
  }

  handleCommandComplete(): void {
    this.commandCount -= 1
    if (this.commandCount === 0) this.name = this.statementName
  }

  takeRows(bytes: Buffer, from: number, to: number, count: number): void {
    this.rowCount += count
    this.batches.push(bytes.subarray(from, to))
  }

  afterRead(): void {
    if (this.batches.length === 0 || this.waiter === undefined) return
    this.client.socket.pause()
    this.timeout?.stop()
    this.deliver()
  }

  handleReadyForQuery(): void {
    const { client, batches } = this
    client.divertRows(undefined)
    this.isComplete = true
    this.isWhole = !this.hasBegun && batches.length <= 1
    if (!this.isWhole) client.socket.pause()
    this.timeout?.stop()
    this.deliver()
    if (this.isWhole) this.end(undefined)
  }

  handleError(error: Error): void {
    this.client.divertRows(undefined)
    if (!this.isIdle) void this.recover(error)
  }

  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  private deliver(): void {
    const { waiter } = this
    if (waiter === undefined || this.isIdle) return
    this.waiter = undefined
    const batch = this.batches.shift()
    if (!this.hasBegun) this.first = batch ?? NO_ROWS
    else if (batch === undefined) this.endInNextTurn()
    this.hasBegun = true
    this.client.isReading = true
    waiter.resolve(batch)
  }

  /** why: the server may have closed the session meanwhile, which is noticed when the socket reads again */
  private endInNextTurn(): void {
    this.isDrained = true
    this.client.socket.resume()
    setImmediate(() => this.end(undefined))
  }

  private endLate(error: Error): void {
    if (!this.statement.isShort) return this.stop(replicaProblem('report_timeout', undefined))
    this.client.destroy()
    this.end(transportError(error))
  }

  /** After an error the session becomes ready, unless it is broken. */
  private async recover(error: Error): Promise<void> {
    const { client } = this
    const hasRows = this.hasBegun || this.batches.length > 0
    const mayBeOfName = this.statementName !== undefined && !hasRows
    const isOfName = mayBeOfName && client.noteRefusal((error as { code?: string }).code)
    if (this.statement.isReadOnly) await client.rollBack()
    // why: it may have been stopped during the rollback
    if (this.isIdle) return
    if (!isOfName) {
      this.end(error instanceof DatabaseError ? error : transportError(error))
    } else {
      this.statementName = undefined
      void client.query(this)
    }
  }

  private end(failure: unknown): void {
    if (this.isIdle) return
    this.isIdle = true
    this.failure = failure
    const { client, waiter } = this
    client.isReading = false
    client.socket.resume()
    this.timeout?.stop()
    this.removeStop?.()
    this.onIdle()
    if (failure !== undefined) waiter?.reject(failure)
  }
}
