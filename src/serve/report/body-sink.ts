/** Collects the output of an encoding: in memory up to the limit of a cache entry, a larger one in a file. */
import type { Bytes, Instant } from '../../model/terms.ts'
import { recycleChunk, takeChunk, type Output } from '../formats/output.ts'
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

export function createBodySink(output: Output, { maxBytes, createFile }: SinkOptions) {
  const chunks: Buffer[] = []
  let byteCount: Bytes = 0
  let file: SpoolFile | undefined

  /** Empties the output. @throws Problem `result_too_large`, `overloaded`; what `createFile` throws */
  async function take(): Promise<void> {
    byteCount += output.length
    chunks.push(takeChunk(output))
    if (byteCount <= maxBytes) return
    file ??= await createFile()
    for (const chunk of chunks.splice(0)) {
      await file.append(chunk)
      recycleChunk(chunk)
    }
  }

  return {
    take,
    /** Call it once, after the last row. @throws as `take` */
    end(rowCount: number, dataAsOf: Instant | undefined): Body | Promise<Body> {
      if (byteCount + output.length > maxBytes)
        return take().then(() => file!.end(rowCount, dataAsOf))
      chunks.push(takeChunk(output))
      const bytes = concatExact(chunks)
      for (const chunk of chunks) recycleChunk(chunk)
      return createMemoryBody(bytes, rowCount, dataAsOf)
    },
  }
}
