/** Collects the chunks of a body: in memory up to the limit of a cache entry, a larger one in a file. */
import type { Stop } from '../../model/stop.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import { createMemoryBody } from './body.ts'
import type { Body } from './body.ts'
import { concatExact } from './gzip.ts'
import type { Spool, SpoolFile } from './spool.ts'
import type { WriteTurn } from './write-turns.ts'

export interface SinkOptions {
  readonly organizationId: string
  /** Of a body in memory. */
  readonly maxBytes: Bytes
  readonly spool: Spool
  readonly turn: WriteTurn
  /** Stopped if the execution fails: the body will not end. */
  readonly stop: Stop
}

export function createBodySink({ organizationId, maxBytes, spool, turn, stop }: SinkOptions) {
  const chunks: Buffer[] = []
  let byteCount = 0
  let file: SpoolFile | undefined

  async function beginFile(): Promise<SpoolFile> {
    await turn.begin(stop)
    const created = await spool.create(organizationId)
    stop.onStop(() => created.abandon())
    return created
  }

  return {
    /** The chunk's memory is recycled. @throws Problem `result_too_large`, `overloaded`; the reason of the stop */
    async take(chunk: Buffer): Promise<void> {
      chunks.push(chunk)
      byteCount += chunk.length
      if (byteCount <= maxBytes) return
      file ??= await beginFile()
      for (const next of chunks.splice(0)) {
        await file.append(next)
        recycleChunk(next)
      }
    },
    /** Call it once, after the last chunk was taken. */
    end(rowCount: number, dataAsOf: Instant | undefined): Body {
      if (file !== undefined) return file.end(rowCount, dataAsOf)
      const bytes = concatExact(chunks)
      for (const chunk of chunks) recycleChunk(chunk)
      return createMemoryBody(bytes, rowCount, dataAsOf)
    },
  }
}
