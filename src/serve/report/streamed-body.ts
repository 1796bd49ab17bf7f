/** The body of a report that is too large to be cached: sent once, while it is encoded. */
import type { Bytes, Instant } from '../../model/terms.ts'

export interface StreamedBody {
  readonly kind: 'streamed'
  /** Can be read once, with backpressure. Returning early cancels the execution. */
  readonly chunks: AsyncIterable<Buffer>
  readonly organizationId: string
  readonly rowCount: number
  /** Undefined while the execution continues. */
  readonly contentLength: Bytes | undefined
  readonly dataAsOf: Instant | undefined
  /** Aborts if the body fails or is cancelled, so that a reader stops even while it waits for its client. */
  readonly signal: AbortSignal
  /** Ends the execution; repeated calls are ignored. @param reason by default, that the client disconnected */
  cancel(reason?: unknown): void
}
