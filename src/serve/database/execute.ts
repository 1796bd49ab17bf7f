/** Executes a statement of an organization on a replica, with one retry on another one. */
import type { Stop } from '../../model/stop.ts'
import type { Instant } from '../../model/terms.ts'
import type { Attempts, Replicas } from './attempts.ts'
import type { Field } from './prepared.ts'
import type { OrganizationRequest } from './statement-request.ts'

/** What is known before the first row. */
export interface ResultHead {
  readonly fields: readonly Field[]
  /** The data are at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
}

/** Reads one result. What a method throws ends the execution, and is thrown as a Problem by `Execute`. */
export interface ResultReader {
  /** Rows read so far, for observations. */
  readonly rowCount: number
  /**
   * Takes consecutive DataRow messages, from `bytes[from]` up to `bytes[to]`. They are valid until it returns or, if it
   * returns a promise, until that resolves; nothing more is read from the server before.
   */
  read(bytes: Buffer, from: number, to: number): Promise<void> | undefined
  /** Called after the last row. */
  end(): Promise<void> | undefined
}

/**
 * @param begin is called once for each attempt
 * @returns the reader of the attempt that has succeeded
 * @throws Problem `replica_unavailable`, `overloaded`, `rate_limited`, `report_timeout` or `internal_error`; the reason
 */
export type Execute = <R extends ResultReader>(
  request: OrganizationRequest,
  stop: Stop,
  begin: (head: ResultHead) => R,
) => Promise<R>

export function createExecute(replicas: Pick<Replicas, 'begin'>): Execute {
  return async (request, stop, begin) => {
    const abort = new AbortController()
    const remove = stop.onStop(reason => abort.abort(reason))
    const attempts = replicas.begin(request, abort.signal)
    try {
      for (;;) {
        const reader = await readOnce(attempts, begin)
        if (reader !== undefined) return reader
      }
    } finally {
      remove()
    }
  }
}

/** Undefined if it is retried. */
async function readOnce<R extends ResultReader>(
  attempts: Attempts,
  begin: (head: ResultHead) => R,
): Promise<R | undefined> {
  const { fields, dataAsOf, batches } = await attempts.next()
  let reader: R | undefined
  try {
    reader = begin({ fields, dataAsOf })
    for await (const batch of batches) await reader.read(batch, 0, batch.length)
    await reader.end()
    attempts.succeed(reader.rowCount)
    return reader
  } catch (error) {
    await attempts.fail(error, reader?.rowCount ?? 0)
    return undefined
  }
}
