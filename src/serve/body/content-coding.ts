/** Compresses whole bodies and streams with zlib. Knows no representations. */
import { createHash } from 'node:crypto'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import { createTurnQueue } from './turn-queue.ts'

/** As in `Content-Encoding`. @see https://www.iana.org/assignments/http-parameters#content-coding */
export type Coding = 'identity' | 'gzip' | 'br' | 'zstd'

/** A stream that compresses its input. */
interface Encoder extends Transform {
  flush(kind: number, done?: () => void): void
}

interface Compressor {
  readonly whole: (bytes: Buffer) => Promise<Buffer>
  /** Uses 0.1 to 0.2 MB of memory, since windows are at most 256 KB. */
  readonly stream: () => Encoder
  /** A flush of this kind makes all written input readable. */
  readonly flushKind: number
}

const { constants } = zlib

const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)

/**
 * Larger bodies are compressed at a lower level.
 * why: two cores serve all organizations, and higher levels save little. 2026-11-22, Node 24.21 (the same
 * with 20.20), demo reports as JSON, CPU time in ms and compression ratio:
 *
 *          br 1       br 3       br 5        gzip 4     gzip 6     zstd 1     zstd 6
 * 3.2 KB   0.08  2.6  0.12  2.9   0.20  3.2  0.12  2.9  0.11  2.9  0.08  2.9  0.10  3.0
 * 72 KB    0.32  8.1  0.55  9.3    1.4 11.1  0.64  8.8  0.88  9.6  0.25  8.5  0.74 10.1
 * 420 KB    1.3 10.6   2.8 12.5    5.9 15.1   3.4 10.5   5.2 11.7   1.1 11.4   4.3 14.4
 * 8 MB       20 11.1    45 12.8    138 16.6    54 11.2    84 13.0    17 12.1    94 15.6
 */
const LARGE_BYTES: Bytes = 512 * 1024

const BROTLI: Compressor = {
  whole: bytes =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: bytes.length < LARGE_BYTES ? 5 : 3,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  stream: () =>
    zlib.createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
    }),
  flushKind: constants.BROTLI_OPERATION_FLUSH,
}

const GZIP: Compressor = {
  whole: bytes => gzip(bytes, { level: bytes.length < LARGE_BYTES ? 6 : 4 }),
  stream: () => zlib.createGzip({ level: 1 }),
  flushKind: constants.Z_SYNC_FLUSH,
}

/** Missing in Node 20 and its types. @see https://nodejs.org/api/zlib.html#class-zstdoptions */
interface ZstdOptions {
  readonly pledgedSrcSize?: Bytes
  readonly params: Readonly<Record<number, number>>
}
interface Zstd {
  readonly zstdCompress?: (
    bytes: Buffer,
    options: ZstdOptions,
    done: (error: Error | null, compressed: Buffer) => void,
  ) => void
  readonly createZstdCompress?: (options: ZstdOptions) => Encoder
}

// why: the values of zstd.h; Node 20 lacks the constants
const ZSTD_LEVEL = 100
const ZSTD_WINDOW_LOG = 101
const ZSTD_FLUSH = 1

function zstdOf({ zstdCompress, createZstdCompress }: Zstd): Compressor | undefined {
  if (zstdCompress === undefined || createZstdCompress === undefined) return undefined
  const compress = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress)
  return {
    whole: bytes =>
      // why: without the size, zstd allocates tables for the largest input
      compress(bytes, {
        pledgedSrcSize: bytes.length,
        params: { [ZSTD_LEVEL]: bytes.length < LARGE_BYTES ? 6 : 1 },
      }),
    stream: () => createZstdCompress({ params: { [ZSTD_LEVEL]: 1, [ZSTD_WINDOW_LOG]: 18 } }),
    flushKind: ZSTD_FLUSH,
  }
}

const zstd = zstdOf(zlib as Zstd)

const COMPRESSORS: ReadonlyMap<Coding, Compressor> = new Map([
  ...(zstd === undefined ? [] : [['zstd', zstd] as const]),
  ['br', BROTLI],
  ['gzip', GZIP],
])

/**
 * The codings that this Node supports, best first.
 * why: for whole bodies the ratios differ little; for streams zstd is the best and the fastest. Streams, 2026-11-22,
 * Node 24.21, 12 MB of operations as JSON in chunks of 64 KB, CPU ms per MiB and compression ratio (sending
 * takes 0.6 to 1.1 ms/MiB):
 *
 * br 0      br 1      br 2       br 3       br 4       gzip 1    gzip 3     gzip 4     zstd 1     zstd 3
 * 2.8  7.7  3.0  8.5  4.6  11.5  5.2  13.2  6.9  14.4  4.5  9.2  5.0  10.1  7.3  11.2  2.1  12.1  2.4  12.0
 *
 * brotli below level 2 finds no matches across chunks, but uses 0.2 instead of 0.9 MB per stream, and delays no output.
 */
export const CODINGS: readonly Coding[] = [...COMPRESSORS.keys()]

/** Other builds of Node may compress the same bytes differently, and a resumed download must not mix them. */
const NODE_BUILD_HASH = createHash('sha256')
  .update(JSON.stringify([process.versions, process.arch, process.config.variables]))
  .digest('hex')
  .slice(0, 6)

/** A strong validator, known before the bytes are compressed. @param etag of the uncompressed bytes */
export function compressedEtag(etag: string, coding: Coding): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}-${NODE_BUILD_HASH}"`
}

/** why: four compressions at once stalled the event loop for 55 to 74 ms, one for 16 to 21: they compete for cores */
const queue = createTurnQueue()

/**
 * Compresses the bytes of a cached body in the thread pool. Deterministic.
 * @throws Error if this Node lacks the coding; the signal's reason, if it aborts before the compression starts
 */
export async function compressWhole(
  bytes: Buffer,
  coding: Coding,
  organizationId: string,
  signal: AbortSignal,
): Promise<Buffer> {
  if (coding === 'identity') return bytes
  const { whole } = compressorOf(coding)
  if (bytes.length < LARGE_BYTES) return concatExact([await whole(bytes)])
  return queue(organizationId, async () => {
    signal.throwIfAborted()
    return concatExact([await whole(bytes)])
  })
}

/** Concatenates to a buffer of the exact size: a slice would retain its larger buffer while it is cached. */
export function concatExact(chunks: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) offset += chunk.copy(bytes, offset)
  return bytes
}

/**
 * If the source sends nothing for this time, the encoder is flushed.
 * why: a flush after each chunk costs 10 % more, and a fast source needs none
 */
const FLUSH_AFTER_MS: Milliseconds = 200

/**
 * Compresses a stream. If the source fails, the compressed stream fails too, without an end marker.
 * @throws Error if this Node lacks the coding; any error of the source
 */
export async function* compress(
  chunks: AsyncIterable<Buffer>,
  coding: Coding,
): AsyncGenerator<Buffer, void> {
  if (coding === 'identity') {
    yield* chunks
    return
  }
  const { stream, flushKind } = compressorOf(coding)
  const encoder = stream()
  let rejectWrite: ((error: Error) => void) | undefined
  // why: after a close, the callback of a pending write is never called
  encoder.once('close', () => rejectWrite?.(new Error('the reader has stopped')))

  async function feed(): Promise<void> {
    let flushTimer: NodeJS.Timeout | undefined
    try {
      for await (const chunk of chunks) {
        clearTimeout(flushTimer)
        // why: zlib reads the chunk in another thread until it calls back
        await new Promise<void>((resolve, reject) => {
          rejectWrite = reject
          encoder.write(chunk, error => (error ? reject(error) : resolve()))
        })
        recycleChunk(chunk)
        flushTimer = setTimeout(() => encoder.flush(flushKind), FLUSH_AFTER_MS)
      }
      encoder.end()
    } catch (error) {
      encoder.destroy(error as Error)
    } finally {
      clearTimeout(flushTimer)
    }
  }

  void feed()
  yield* encoder as AsyncIterable<Buffer>
}

function compressorOf(coding: Exclude<Coding, 'identity'>): Compressor {
  const compressor = COMPRESSORS.get(coding)
  if (compressor) return compressor
  throw new Error(
    `found the coding ${coding}, expected one that this Node supports: ${CODINGS.join(', ')}`,
  )
}
