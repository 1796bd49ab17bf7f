/**
 * Runs one statement on one connection and hands over its rows as they arrive, as raw text fields.
 * Knows pg; knows nothing of definitions, formats or the cache.
 */
import { Query } from 'pg'
import type { ClientBase, FieldDef, QueryConfig, ResultBuilder } from 'pg'
import type { Instant, Milliseconds, RawField } from '../terms.ts'
import { requestCancel } from './cancel.ts'
import { destroyConnection, RAW_TEXT } from './pool.ts'
import { replicaProblem } from './classify-error.ts'

/** A column as PostgreSQL describes it; `typeId` is the OID of its type. */
export interface Field {
  readonly name: string
  readonly typeId: number
}

/** What a sink learns, and may do, once a run's rows are about to come. */
export interface RunStart {
  readonly fields: readonly Field[]
  /** The rows show data at least as new as this; undefined is unknown. */
  readonly dataAsOf: Instant | undefined
  /** Go on after `row` answered false. */
  resume(): void
  /** From now on the reader of the rows keeps the time, not the run. */
  liftTimeout(): void
}

export interface RowSink {
  /** Before the first row, also where there is none. What it throws ends the run. */
  begin(start: RunStart): void
  /** False asks for a pause. What it throws ends the run. */
  row(values: readonly RawField[]): boolean
  /** How many rows of the answer there have been. */
  rowCount(): number
}

export interface Run {
  readonly text: string
  readonly values: readonly string[]
  readonly timeoutMs: Milliseconds
  readonly dataAsOf: Instant | undefined
  readonly sink: RowSink
  /** Ends the run; its reason is what the run rejects with. */
  readonly signal: AbortSignal
}

/** After this long without the server's word, a cancelled run's connection is destroyed. */
const CANCEL_GRACE_MS = 1000

/**
 * Resolves when all rows have been handed over. The client is ready for the next statement then, and
 * after an error of PostgreSQL's; after any other rejection a cancel request may still be on its way.
 *
 * @throws Problem `report_timeout` after `timeoutMs`; the signal's reason; what the sink threw; what
 *   PostgreSQL or the transport reported.
 */
export function runStatement(client: ClientBase, run: Run): Promise<void> {
  const { sink, signal } = run
  return new Promise((resolve, reject) => {
    const query = new Query<RawField[]>({
      text: run.text,
      values: [...run.values],
      rowMode: 'array',
      types: RAW_TEXT,
      queryMode: 'extended',
    } as unknown as QueryConfig)
    const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } })
      .connection

    let began = false
    let failure: { readonly reason: unknown } | undefined
    let grace: NodeJS.Timeout | undefined
    const timeout = setTimeout(
      () => stop(replicaProblem('report_timeout', undefined)),
      run.timeoutMs,
    )

    function stop(reason: unknown): void {
      if (failure) return
      failure = { reason }
      stream.resume()
      requestCancel(client)
      grace = setTimeout(() => destroyConnection(client), CANCEL_GRACE_MS)
    }
    const aborted = (): void => stop(signal.reason)

    function settle(finish: () => void): void {
      clearTimeout(timeout)
      clearTimeout(grace)
      signal.removeEventListener('abort', aborted)
      stream.resume()
      finish()
    }

    function begin(fields: readonly FieldDef[]): void {
      began = true
      sink.begin({
        fields: fields.map(field => ({ name: field.name, typeId: field.dataTypeID })),
        dataAsOf: run.dataAsOf,
        resume: () => stream.resume(),
        liftTimeout: () => clearTimeout(timeout),
      })
    }

    query.on('row', (values: RawField[], result?: ResultBuilder<RawField[]>) => {
      if (failure) return
      try {
        if (!began) begin(result?.fields ?? [])
        if (!sink.row(values)) stream.pause()
      } catch (error) {
        stop(error)
      }
    })
    query.on('error', (error: Error) => {
      settle(() => reject(failure ? failure.reason : error))
    })
    query.on('end', (result: ResultBuilder<RawField[]>) => {
      try {
        if (!failure && !began) begin(result.fields)
      } catch (error) {
        failure = { reason: error }
      }
      settle(() => (failure ? reject(failure.reason) : resolve()))
    })

    if (signal.aborted) {
      settle(() => reject(signal.reason as Error))
      return
    }
    signal.addEventListener('abort', aborted)
    client.query(query)
  })
}
