/** Collects the chunks of a body: in memory up to the limit of a cache entry, a larger one in a file. */
import type { Bytes, Instant } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import { createMemoryBody } from './body.ts'
import type { Body } from './body.ts'
import { concatExact } from './gzip.ts'
import type { SpoolFile } from './spool.ts'

export interface SinkOptions {
  /** Of a body in memory. */
  readonly maxBytes: Bytes
  /** Called once, for a larger body. */
  readonly createFile: () => Promise<SpoolFile>
}

export function createBodySink({ maxBytes, createFile }: SinkOptions) {
  const chunks: Buffer[] = []
  let byteCount = 0
  let file: SpoolFile | undefined

  return {
    /** The chunk's memory is recycled. @throws Problem `result_too_large`, `overloaded`; what `createFile` throws */
    async take(chunk: Buffer): Promise<void> {
      chunks.push(chunk)
      byteCount += chunk.length
      if (byteCount <= maxBytes) return
      file ??= await createFile()
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
