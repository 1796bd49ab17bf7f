/** Finished bytes: what the cache keeps and a response sends. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Bytes, Instant } from '../../model/terms.ts'

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
  /** Undefined where the run is still under way. */
  readonly contentLength: Bytes | undefined
  readonly dataAsOf: Instant | undefined
  /**
   * Whoever changes the bytes before a client gets them says whether it is at work: a run waits for that, as
   * it does for no slow client.
   */
  whileAtWork(isAtWork: () => boolean): void
  /** A chunk of the stream has gone out, and its memory is used again. */
  sent(chunk: Buffer): void
  /** Nobody will read it. */
  discard(): void
}

/** @param etag of these bytes */
export function makeBody(
  bytes: Buffer,
  etag: string,
  rowCount: number,
  dataAsOf: Instant | undefined,
): Body {
  return { kind: 'whole', bytes, etag, rowCount, dataAsOf, byteCount: bytes.length }
}

export function etagOf(bytes: Buffer): string {
  const etag = createEtag()
  etag.update(bytes)
  return etag.digest()
}

/** Of bytes that come one after another. @see https://www.rfc-editor.org/rfc/rfc9110#name-etag */
export interface Etag {
  update(bytes: Buffer): void
  digest(): string
}

export function createEtag(): Etag {
  const hash = createHash('sha256')
  return {
    update: bytes => void hash.update(bytes),
    digest: () => `"${hash.digest('base64url').slice(0, 27)}"`,
  }
}
