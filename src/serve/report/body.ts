/**
 * Bodies in memory, their content codings (compressed on demand, or while a file is sent), and the limits of those that are
 * being sent. Knows no formats.
 */
import { createHash, hash } from 'node:crypto'
import { once } from 'node:events'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { Problem } from '../../model/errors.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import { CHUNK_BYTES } from '../formats/output.ts'
import { compressionTurns } from './turns.ts'

/** A value of `Content-Encoding`. */
export type Coding = 'identity' | 'gzip'

/** One content coding of a body. */
export interface Representation {
  readonly bytes: Buffer
  /** Strong, with its quotes. */
  readonly etag: string
  readonly coding: Coding
}

export interface MemoryBody extends Representation {
  readonly kind: 'memory'
  readonly coding: 'identity'
  /** Undefined until a client accepts it; the body itself if that is too small to compress. */
  gzip: Representation | undefined
  /** Concurrent requests share it. */
  compression: Promise<Representation> | undefined
  readonly rowCount: number
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
  /** Without the gzip, which the cache counts when it is made. */
  readonly byteCount: Bytes
}

/** Smaller bodies are not compressed: with the head they fit into about one packet. */
const MIN_COMPRESSED_BYTES: Bytes = 1400

/** @param bytes of exactly this size: a slice would retain its larger buffer while it is cached */
export function createMemoryBody(bytes: Buffer, rowCount = 0, dataAsOf?: Instant, etag?: string) {
  const body: MemoryBody = {
    kind: 'memory',
    bytes,
    etag: etag ?? etagOf(bytes),
    coding: 'identity',
    gzip: undefined,
    compression: undefined,
    rowCount,
    dataAsOf,
    byteCount: bytes.length,
  }
  if (bytes.length < MIN_COMPRESSED_BYTES) body.gzip = body
  return body
}

/** why: the cache may have evicted bodies that wait for their gzip; 186 of 7 MB took 1.1 GiB */
const MAX_WAITING_BYTES: Bytes = 16 * 2 ** 20
let waitingBytes: Bytes = 0

/**
 * The body itself if it is too small to compress, or if too many bytes wait for their gzip.
 * @param isCached whether the client has the representation with this ETag: it gets 304, and no gzip is made
 * @param reserve false if the body has no room for this many more bytes: the gzip is sent once, and not cached
 */
export function representationOf(
  body: MemoryBody,
  coding: Coding,
  isCached: (etag: string) => boolean,
  reserve: (byteCount: Bytes) => boolean = () => true,
): Representation | Promise<Representation> {
  if (coding === 'identity') return body
  if (body.gzip !== undefined) return body.gzip
  const etag = gzipEtag(body.etag, 'whole')
  if (isCached(etag)) return { bytes: Buffer.alloc(0), etag, coding }
  if (body.compression !== undefined) return body.compression
  if (waitingBytes >= MAX_WAITING_BYTES) return body
  const compressed = (bytes: Buffer): Representation => {
    const gzip = { bytes, etag, coding }
    if (reserve(bytes.length)) body.gzip = gzip
    return gzip
  }
  const gzipped = gzipWhole(body.bytes)
  if (Buffer.isBuffer(gzipped)) return compressed(gzipped)
  waitingBytes += body.byteCount
  body.compression = gzipped.then(compressed).finally(() => {
    body.compression = undefined
    waitingBytes -= body.byteCount
  })
  return body.compression
}

const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)

/**
 * why: two cores serve all organizations, and higher levels save little. 2026-11-22, Node 24.21 (the same
 * with 20.20), demo reports as JSON, CPU time in ms and compression ratio:
 *
 *          gzip 4      gzip 6
 * 3.2 KB   0.12  2.9   0.11  2.9
 * 72 KB    0.64  8.8   0.88  9.6
 * 420 KB    3.4 10.5    5.2 11.7
 * 8 MB       54 11.2     84 13.0
 */
const LEVEL = { level: 4 }

/** Other builds of Node may compress the same bytes differently, and a resumed download must not mix them. */
const NODE_BUILD_HASH = createHash('sha256')
  .update(JSON.stringify([process.versions, process.arch, process.config.variables]))
  .digest('hex')
  .slice(0, 6)

/** A strong validator of 162 bits. @see https://www.rfc-editor.org/rfc/rfc9110#name-etag */
export function etagOfHash(base64url: string): string {
  return `"${base64url.slice(0, 27)}"`
}

export function etagOf(bytes: Buffer): string {
  return etagOfHash(hash('sha256', bytes, 'base64url'))
}

/** The validator of compressed bytes. @param etag of the uncompressed bytes @param how the bytes of `gzipWhole` and `gzipChunks` differ */
export function gzipEtag(etag: string, how: 'whole' | 'chunks'): string {
  const name = how === 'whole' ? 'gzip' : 'gzip-1'
  return `${etag.slice(0, -1)}-${name}-${NODE_BUILD_HASH}"`
}

/**
 * why: for smaller bodies another thread costs more than it saves. 2026-11-26, Node 20.20, CPU time of all threads in us
 * with and without one: 2 KB 98 and 17, 10 KB 104 and 40, 72 KB 462 and 376
 */
const SMALL_BYTES: Bytes = 64 * 1024

/** Compresses the bytes of a cached body, in the thread pool unless they are few. Deterministic. */
export function gzipWhole(bytes: Buffer): Buffer | Promise<Buffer> {
  if (bytes.length < SMALL_BYTES) return concatExact([zlib.gzipSync(bytes, LEVEL)])
  return compressionTurns.during(() => gzip(bytes, LEVEL)).then(one => concatExact([one]))
}

/** Concatenates to a buffer of the exact size: a slice would retain its larger buffer while it is cached. */
export function concatExact(chunks: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) offset += chunk.copy(bytes, offset)
  return bytes
}

/**
 * Compresses a large body while it is sent. The source may reuse the memory of a chunk when the next is requested.
 * why level 1: 2026-11-22, Node 24.21, 12 MB of operations as JSON in chunks of 64 KB, CPU time and compression ratio:
 * level 1 4.5 ms/MiB and 9.2, level 3 5.0 and 10.1, level 4 7.3 and 11.2 (sending takes 0.6 to 1.1 ms/MiB)
 * @throws any error of the source
 */
export async function* gzipChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const compressor = zlib.createGzip({ level: 1, chunkSize: CHUNK_BYTES })
  const compressed: Buffer[] = []
  // why: read at once, so that a slow client does not keep the thread
  compressor.on('data', (bytes: Buffer) => compressed.push(bytes))
  // why: a write has failed with the same error
  compressor.on('error', () => undefined)
  // why: zlib reads the chunk in another thread until it calls back
  const write = (chunk: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      compressor.write(chunk, error => (error ? reject(error) : resolve()))
    })
  try {
    for await (const chunk of chunks) {
      await compressionTurns.during(() => write(chunk))
      yield* compressed.splice(0)
    }
    await compressionTurns.during(() => once(compressor.end(), 'end'))
    yield* compressed
  } finally {
    compressor.destroy()
  }
}

/** The part of all bytes being sent that one organization may have. */
const ORGANIZATION_SHARE = 0.5

export type OutgoingBodies = ReturnType<typeof createOutgoingBodies>

/**
 * Counts bodies in memory that are being sent or wait to be merged. why: they use memory even if the cache has evicted them
 */
export function createOutgoingBodies(maxBytes: Bytes) {
  const shareBytes = Math.floor(maxBytes * ORGANIZATION_SHARE)
  let used = 0
  const usedBy = new Map<string, Bytes>()
  /** Bodies with their clients, which share the bytes: they count once, for the organization of the first. */
  const sent = new Map<Buffer, { readonly owner: string; clientCount: number }>()

  function count(owner: string, byteCount: Bytes): void {
    used += byteCount
    const ofOwner = (usedBy.get(owner) ?? 0) + byteCount
    if (ofOwner === 0) usedBy.delete(owner)
    else usedBy.set(owner, ofOwner)
  }

  return {
    byteCount: (): Bytes => used,
    /** True also if the same bytes are already being sent to another client. */
    fits: (organizationId: string, bytes: Buffer): boolean =>
      sent.has(bytes) ||
      ((usedBy.get(organizationId) ?? 0) + bytes.length <= shareBytes &&
        used + bytes.length <= maxBytes),
    /** Counts the bytes until the returned function is called. */
    begin(organizationId: string, bytes: Buffer): () => void {
      const body = sent.get(bytes) ?? { owner: organizationId, clientCount: 0 }
      if (body.clientCount === 0) count(organizationId, bytes.length)
      body.clientCount += 1
      sent.set(bytes, body)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        body.clientCount -= 1
        if (body.clientCount > 0) return
        sent.delete(bytes)
        count(body.owner, -bytes.length)
      }
    },
  }
}

/** @param cause is only logged */
export function tooMuchBuffered(cause?: unknown): Problem {
  return new Problem('overloaded', texts => texts.noRoom, { retryAfterSeconds: 10, cause })
}

export function tooManyBytes(): Problem {
  return new Problem('result_too_large', texts => texts.tooManyBytes)
}
