/** Compresses whole bodies and streams with gzip. Knows no formats. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import { createTurnQueue } from './turn-queue.ts'

/** As in `Content-Encoding`. */
export type Coding = 'identity' | 'gzip'

const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)

/**
 * Larger bodies are compressed at a lower level.
 * why: two cores serve all organizations, and higher levels save little. 2026-11-22, Node 24.21 (the same
 * with 20.20), demo reports as JSON, CPU time in ms and compression ratio:
 *
 *          gzip 4      gzip 6
 * 3.2 KB   0.12  2.9   0.11  2.9
 * 72 KB    0.64  8.8   0.88  9.6
 * 420 KB    3.4 10.5    5.2 11.7
 * 8 MB       54 11.2     84 13.0
 */
const LARGE_BYTES: Bytes = 512 * 1024

/** Other builds of Node may compress the same bytes differently, and a resumed download must not mix them. */
const NODE_BUILD_HASH = createHash('sha256')
  .update(JSON.stringify([process.versions, process.arch, process.config.variables]))
  .digest('hex')
  .slice(0, 6)

/** A strong validator. @param etag of the uncompressed bytes */
export function gzipEtag(etag: string): string {
  return `${etag.slice(0, -1)}-gzip-${NODE_BUILD_HASH}"`
}

/** why: four compressions at once stalled the event loop for 55 to 74 ms, one for 16 to 21: they compete for cores */
const queue = createTurnQueue()

/** Compresses the bytes of a cached body in the thread pool. Deterministic. */
export async function gzipWhole(bytes: Buffer, organizationId: string): Promise<Buffer> {
  return bytes.length < LARGE_BYTES
    ? concatExact([await gzip(bytes, { level: 6 })])
    : queue(organizationId, async () => concatExact([await gzip(bytes, { level: 4 })]))
}

/** Concatenates to a buffer of the exact size: a slice would retain its larger buffer while it is cached. */
export function concatExact(chunks: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) offset += chunk.copy(bytes, offset)
  return bytes
}

/**
 * If the source sends nothing for this time, the compressor is flushed.
 * why: a flush after each chunk costs 10 % more, and a fast source needs none
 */
const FLUSH_AFTER_MS: Milliseconds = 200

/**
 * Compresses a stream. If the source fails, the compressed stream fails too, without an end marker.
 * why: 2026-11-22, Node 24.21, 12 MB of operations as JSON in chunks of 64 KB, CPU time and compression ratio: level 1
 * 4.5 ms/MiB and 9.2, level 3 5.0 and 10.1, level 4 7.3 and 11.2 (sending takes 0.6 to 1.1 ms/MiB)
 * @throws any error of the source
 */
export async function* gzipChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const compressor = zlib.createGzip({ level: 1 })
  let rejectWrite: ((error: Error) => void) | undefined
  // why: after a close, the callback of a pending write is never called
  compressor.once('close', () => rejectWrite?.(new Error('the reader has stopped')))

  async function feed(): Promise<void> {
    let flushTimer: NodeJS.Timeout | undefined
    try {
      for await (const chunk of chunks) {
        clearTimeout(flushTimer)
        // why: zlib reads the chunk in another thread until it calls back
        await new Promise<void>((resolve, reject) => {
          rejectWrite = reject
          compressor.write(chunk, error => (error ? reject(error) : resolve()))
        })
        recycleChunk(chunk)
        flushTimer = setTimeout(() => compressor.flush(zlib.constants.Z_SYNC_FLUSH), FLUSH_AFTER_MS)
      }
      compressor.end()
    } catch (error) {
      compressor.destroy(error as Error)
    } finally {
      clearTimeout(flushTimer)
    }
  }

  void feed()
  yield* compressor as AsyncIterable<Buffer>
}
