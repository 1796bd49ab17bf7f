/** The complete body of a response: in memory, or in a file of the spool folder. */
import { createHash, type Hash } from 'node:crypto'
import type { Stop } from '../../model/stop.ts'
import type { Bytes, Instant, Milliseconds } from '../../model/terms.ts'
import { recycleChunk, takeChunk, type Output } from '../formats/output.ts'
import { concatExact, etagOf, etagOfHash, gzipEtag, gzipWhole, type Coding } from './gzip.ts'
import type { Spool, SpoolFile } from './spool.ts'
import { refusal } from '../database/admission-request.ts'

export type Body = MemoryBody | SpoolFile

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

/** If so many loads of an organization wait, new ones are refused. */
const MAX_WAITING = 64
const RETRY_AFTER_MS: Milliseconds = 10_000

/** The turn of a load to write its file. */
export class FileTurn {
  private isHeld = false
  private readonly spool: Spool
  private readonly organizationId: string

  constructor(spool: Spool, organizationId: string) {
    this.spool = spool
    this.organizationId = organizationId
  }

  /** Waits for the turn. @throws Problem `rate_limited`; the reason of the stop */
  async begin(stop: Stop): Promise<void> {
    const { spool, organizationId } = this
    const waitingCount = spool.turns.waitingCount(organizationId)
    if (waitingCount >= MAX_WAITING)
      throw refusal('waiting', RETRY_AFTER_MS, `${waitingCount} large responses wait to be written`)
    await spool.turns.begin(stop, organizationId)
    this.isHeld = true
  }

  /** Whether it has the turn, which it takes if one is free. */
  tryBegin(): boolean {
    return (this.isHeld ||= this.spool.turns.tryBegin())
  }

  createFile(): Promise<SpoolFile> {
    return this.spool.create(this.organizationId)
  }

  end(): void {
    if (this.isHeld) this.spool.turns.end()
    this.isHeld = false
  }
}

export interface SinkOptions {
  /** Of a body in memory. */
  readonly maxBytes: Bytes
  /** For a larger body. */
  readonly turn: FileTurn
}

/** Collects the output of an encoding: in memory up to the limit of a cache entry, a larger one in a file. */
export function createBodySink(output: Output, { maxBytes, turn }: SinkOptions) {
  const chunks: Buffer[] = []
  let byteCount: Bytes = 0
  /** Of a body of several chunks. why: that of 7 MB at once held the event loop for 5 ms */
  let sha256: Hash | undefined
  let file: SpoolFile | undefined

  /**
   * Empties the output.
   * @returns false if the body is too large for memory, and no file may be written now
   * @throws Problem `result_too_large`, `overloaded`
   */
  async function take(): Promise<boolean> {
    byteCount += output.length
    const chunk = takeChunk(output)
    chunks.push(chunk)
    if (byteCount <= maxBytes) {
      sha256 ??= createHash('sha256')
      sha256.update(chunk)
      return true
    }
    if (!turn.tryBegin()) return false
    file ??= await turn.createFile()
    for (const one of chunks.splice(0)) {
      await file.append(one)
      recycleChunk(one)
    }
    return true
  }

  function endInMemory(rowCount: number, dataAsOf: Instant | undefined): MemoryBody {
    const last = takeChunk(output)
    const etag = sha256 && etagOfHash(sha256.update(last).digest('base64url'))
    chunks.push(last)
    const bytes = concatExact(chunks)
    for (const chunk of chunks) recycleChunk(chunk)
    return createMemoryBody(bytes, rowCount, dataAsOf, etag)
  }

  return {
    take,
    /** Call it once, after the last row. @returns undefined as `take` returns false @throws as `take` */
    end(rowCount: number, dataAsOf: Instant | undefined): Body | Promise<Body | undefined> {
      if (byteCount + output.length <= maxBytes) return endInMemory(rowCount, dataAsOf)
      return take().then(isTaken => (isTaken ? file!.end(rowCount, dataAsOf) : undefined))
    },
    /** Deletes the file, if there is one. */
    abandon: (): void => file?.abandon(),
  }
}
