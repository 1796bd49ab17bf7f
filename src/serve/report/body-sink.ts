/** Collects the chunks of a body: in memory up to the limit of a cache entry, a larger one in a file. */
import type { Stop } from '../../model/stop.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import { createMemoryBody } from './body.ts'
import type { Body } from './body.ts'
import { concatExact } from './gzip.ts'
import type { Spool, SpoolFile } from './spool.ts'
import { tooManyBytes } from './too-large.ts'
import type { WriteTurn } from './write-turns.ts'

export type BodySink = ReturnType<typeof createBodySink>

export interface SinkOptions {
  readonly organizationId: string
  /** Of a body in memory. */
  readonly maxBytes: Bytes
  /** Undefined if files are disabled. */
  readonly spool: Spool | undefined
  readonly turn: WriteTurn | undefined
  readonly stop: Stop
}

export function createBodySink({ organizationId, maxBytes, spool, turn, stop }: SinkOptions) {
  const chunks: Buffer[] = []
  let byteCount = 0
  let file: SpoolFile | undefined
  let isAbandoned = false

  async function beginFile(): Promise<void> {
    if (spool === undefined || turn === undefined) throw tooManyBytes(undefined)
    await turn.begin(stop)
    file = await spool.create(organizationId)
    if (isAbandoned) file.abandon()
    for (const chunk of chunks.splice(0)) await append(file, chunk)
  }

  return {
    /** The chunk's memory is recycled. @throws Problem `result_too_large`, `overloaded`; the reason of the stop */
    take(chunk: Buffer): Promise<void> | undefined {
      if (file !== undefined) return append(file, chunk)
      chunks.push(chunk)
      byteCount += chunk.length
      return byteCount > maxBytes ? beginFile() : undefined
    },
    /** Call it once, after the last chunk was taken. */
    end(rowCount: number, dataAsOf: Instant | undefined): Body {
      if (file !== undefined) return file.end(rowCount, dataAsOf)
      const bytes = concatExact(chunks)
      for (const chunk of chunks) recycleChunk(chunk)
      return createMemoryBody(bytes, rowCount, dataAsOf)
    },
    /** Deletes the file of a body that has not ended. */
    abandon(): void {
      isAbandoned = true
      file?.abandon()
    },
  }
}

async function append(file: SpoolFile, chunk: Buffer): Promise<void> {
  await file.append(chunk)
  recycleChunk(chunk)
}
