/** Content codings by zlib, for whole bytes and for streams, and how hard each tries. Knows no representations. */
import { createHash } from 'node:crypto'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import { createTurnQueue } from './turn-queue.ts'

/** As `Content-Encoding` names it. @see https://www.iana.org/assignments/http-parameters#content-coding */
export type Coding = 'identity' | 'gzip' | 'br' | 'zstd'

/** A stream that codes what is written to it. */
interface Encoder extends Transform {
  flush(kind: number, done?: () => void): void
}

interface Coder {
  readonly whole: (bytes: Buffer) => Promise<Buffer>
  /** Memory of 0.1 to 0.2 MB: by windows of 256 KB at most. */
  readonly stream: () => Encoder
  /** What has been written can be read after a flush of this kind. */
  readonly flushKind: number
}

const { constants } = zlib

const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)

/**
 * From here on a lower level is taken.
 * why: two cores serve everybody, and what a level saves more costs more. 2026-11-22, Node 24.21 (20.20
 * takes as long), reports of the demo as JSON, ms of a core and how many times smaller:
 *
 *          br 1       br 3       br 5        gzip 4     gzip 6     zstd 1     zstd 6
 * 3.2 KB   0.08  2.6  0.12  2.9   0.20  3.2  0.12  2.9  0.11  2.9  0.08  2.9  0.10  3.0
 * 72 KB    0.32  8.1  0.55  9.3    1.4 11.1  0.64  8.8  0.88  9.6  0.25  8.5  0.74 10.1
 * 420 KB    1.3 10.6   2.8 12.5    5.9 15.1   3.4 10.5   5.2 11.7   1.1 11.4   4.3 14.4
 * 8 MB       20 11.1    45 12.8    138 16.6    54 11.2    84 13.0    17 12.1    94 15.6
 */
const LARGE_BYTES: Bytes = 512 * 1024

const BROTLI: Coder = {
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

const GZIP: Coder = {
  whole: bytes => gzip(bytes, { level: bytes.length < LARGE_BYTES ? 6 : 4 }),
  stream: () => zlib.createGzip({ level: 1 }),
  flushKind: constants.Z_SYNC_FLUSH,
}

/** What Node 20 has not, and its types have not. @see https://nodejs.org/api/zlib.html#class-zstdoptions */
interface ZstdOptions {
  readonly pledgedSrcSize?: Bytes
  readonly params: Readonly<Record<number, number>>
}
interface Zstd {
  readonly zstdCompress?: (
    bytes: Buffer,
    options: ZstdOptions,
    done: (error: Error | null, coded: Buffer) => void,
  ) => void
  readonly createZstdCompress?: (options: ZstdOptions) => Encoder
}

// why: these are the numbers of zstd.h; the constants are not in Node 20
const ZSTD_LEVEL = 100
const ZSTD_WINDOW_LOG = 101
const ZSTD_FLUSH = 1

function zstdOf({ zstdCompress, createZstdCompress }: Zstd): Coder | undefined {
  if (zstdCompress === undefined || createZstdCompress === undefined) return undefined
  const compress = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress)
  return {
    whole: bytes =>
      // why: without the size, tables are made for the largest
      compress(bytes, {
        pledgedSrcSize: bytes.length,
        params: { [ZSTD_LEVEL]: bytes.length < LARGE_BYTES ? 6 : 1 },
      }),
    stream: () => createZstdCompress({ params: { [ZSTD_LEVEL]: 1, [ZSTD_WINDOW_LOG]: 18 } }),
    flushKind: ZSTD_FLUSH,
  }
}

const zstd = zstdOf(zlib as Zstd)

const CODERS: ReadonlyMap<Coding, Coder> = new Map([
  ...(zstd === undefined ? [] : [['zstd', zstd] as const]),
  ['br', BROTLI],
  ['gzip', GZIP],
])

/**
 * Those that this Node has, the best first.
 * why: whole bodies come out much alike, and streams cheapest and smallest in zstd. Levels of streams, where
 * sending takes 0.6 to 1.1 ms/MiB; 2026-11-22, Node 24.21, 12 MB of operations as JSON in chunks of 64 KB,
 * ms of a core per MiB and how many times smaller:
 *
 * br 0      br 1      br 2       br 3       br 4       gzip 1    gzip 3     gzip 4     zstd 1     zstd 3
 * 2.8  7.7  3.0  8.5  4.6  11.5  5.2  13.2  6.9  14.4  4.5  9.2  5.0  10.1  7.3  11.2  2.1  12.1  2.4  12.0
 *
 * brotli below 2 finds nothing across chunks, but needs 0.2 MB for each stream and not 0.9, and holds nothing back.
 */
export const CODINGS: readonly Coding[] = [...CODERS.keys()]

/** Another Node, or one that was built with other libraries, may compress the same bytes otherwise, and a download must not go on with those. */
const COMPRESSED_BY = createHash('sha256')
  .update(JSON.stringify([process.versions, process.arch, process.config.variables]))
  .digest('hex')
  .slice(0, 6)

/** Strong: known before anything is compressed, as the same bytes always compress alike. @param etag of the bytes as they are */
export function codedEtag(etag: string, coding: Coding): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}-${COMPRESSED_BY}"`
}

/** why: four at once held the event loop for 55 to 74 ms, one for 16 to 21; its threads share our cores */
const queue = createTurnQueue()

/**
 * Compresses bytes that are cached, in the thread pool; the same bytes alike.
 * @throws Error if this Node has no such coding; the signal's reason, if it aborts before its turn comes
 */
export async function compressWhole(
  bytes: Buffer,
  coding: Coding,
  organizationId: string,
  signal: AbortSignal,
): Promise<Buffer> {
  if (coding === 'identity') return bytes
  const { whole } = coderOf(coding)
  if (bytes.length < LARGE_BYTES) return withoutSlack([await whole(bytes)])
  return queue(organizationId, async () => {
    signal.throwIfAborted()
    return withoutSlack([await whole(bytes)])
  })
}

/** One buffer of its own: a part of a larger one would keep all of that in memory for as long as it is cached. */
export function withoutSlack(chunks: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) at += chunk.copy(bytes, at)
  return bytes
}

/**
 * So long does an encoder hold back what a source has sent that sends no more.
 * why: to flush each chunk costs a tenth more, and a source that is quick needs none
 */
const HOLD_MS: Milliseconds = 200

/**
 * The chunks in that coding, as they come. If the source fails, so does this, without an end mark.
 * @throws Error if this Node has no such coding; what the source throws
 */
export async function* compress(
  chunks: AsyncIterable<Buffer>,
  coding: Coding,
): AsyncGenerator<Buffer, void> {
  if (coding === 'identity') {
    yield* chunks
    return
  }
  const { stream, flushKind } = coderOf(coding)
  const encoder = stream()
  let stop: ((error: Error) => void) | undefined
  // why: what is being written then calls back no more
  encoder.once('close', () => stop?.(new Error('the reader has stopped')))

  async function feed(): Promise<void> {
    let hold: NodeJS.Timeout | undefined
    try {
      for await (const chunk of chunks) {
        clearTimeout(hold)
        // why: zlib reads the chunk in another thread, and calls back once it has read all of it
        await new Promise<void>((resolve, reject) => {
          stop = reject
          encoder.write(chunk, error => (error ? reject(error) : resolve()))
        })
        recycleChunk(chunk)
        hold = setTimeout(() => encoder.flush(flushKind), HOLD_MS)
      }
      encoder.end()
    } catch (error) {
      encoder.destroy(error as Error)
    } finally {
      clearTimeout(hold)
    }
  }

  void feed()
  yield* encoder as AsyncIterable<Buffer>
}

function coderOf(coding: Exclude<Coding, 'identity'>): Coder {
  const coder = CODERS.get(coding)
  if (coder) return coder
  throw new Error(
    `found the coding ${coding}, expected one that this Node has: ${CODINGS.join(', ')}`,
  )
}
