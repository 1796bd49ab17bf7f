/** Finished bytes: what the cache keeps and a response sends. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Bytes, Instant } from '../terms.ts'

/** A whole answer, encoded once and served many times. */
export interface Body {
  readonly kind: 'whole'
  readonly bytes: Buffer
  /** Strong, with its quotes. */
  readonly etag: string
  readonly rowCount: number
  /** The data is at least as new as this; undefined if no replica could tell. */
  readonly dataAsOf: Instant | undefined
  readonly byteCount: Bytes
}

/** An answer too large to keep: sent once, as it comes. */
export interface StreamedBody {
  readonly kind: 'streamed'
  /** Destroying it ends the run; an error after its first byte must reset the client's connection. */
  readonly stream: Readable
  readonly rowCount: number
  readonly dataAsOf: Instant | undefined
  /** Nobody will read it. */
  discard(): void
}

export function makeBody(bytes: Buffer, rowCount: number, dataAsOf: Instant | undefined): Body {
  return { kind: 'whole', bytes, etag: etagOf(bytes), rowCount, dataAsOf, byteCount: bytes.length }
}

/** @see https://www.rfc-editor.org/rfc/rfc9110#name-etag */
export function etagOf(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
}
