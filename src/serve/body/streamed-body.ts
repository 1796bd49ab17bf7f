/** The body of a report that is too large to be cached: sent once, as it comes. */
import type { Bytes, Instant } from '../../model/terms.ts'

export interface StreamedBody {
  readonly kind: 'streamed'
  /** To be read once, at the reader's pace. Whoever stops reading ends the execution. */
  readonly chunks: AsyncIterable<Buffer>
  readonly organizationId: string
  readonly rowCount: number
  /** Undefined if the execution is still under way. */
  readonly contentLength: Bytes | undefined
  readonly dataAsOf: Instant | undefined
  /** Aborts when the body has failed or been cancelled, which a reader that waits for its client would not see. */
  readonly signal: AbortSignal
  /** Ends the execution; only the first call does anything. @param reason undefined: nobody reads it */
  cancel(reason?: unknown): void
}
