/**
 * Buffers a source for a slow reader: first in memory, then in a spill file, so that the client's speed does not
 * delay the execution. A fast reader never needs a file. Knows no rows.
 */
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import type { SpillFile, SpillFiles } from './spill-file.ts'

/** Buffered bytes in memory; above this limit the source waits. */
const MEMORY_BYTES: Bytes = 256 * 1024
/** Total time that the source waits for its reader before a file is used. */
const MAX_WAIT_MS: Milliseconds = 1000

/**
 * @param options.cancel ends the source if the reader stops or the spill file fails
 * @returns chunks, each valid until the next is requested
 * @throws what the source throws, immediately; SpillFullError, SpillError
 */
export async function* readAhead(
  source: AsyncIterable<Buffer>,
  options: {
    readonly spillFiles: SpillFiles
    readonly organizationId: string
    readonly cancel: (reason: unknown) => void
  },
): AsyncGenerator<Buffer, void> {
  const { spillFiles, organizationId, cancel } = options
  const memory: Buffer[] = []
  let memoryBytes = 0
  let file: SpillFile | undefined
  let remainingWaitMs = MAX_WAIT_MS
  let isEnded = false
  let isClosed = false
  let failure: { readonly error: unknown } | undefined
  let wakeReader: (() => void) | undefined
  let wakeSource: (() => void) | undefined

  async function put(chunk: Buffer): Promise<void> {
    if (file !== undefined && file.unreadBytes() > 0) return file.append(chunk)
    memory.push(chunk)
    memoryBytes += chunk.length
    wakeReader?.()
    if (memoryBytes < MEMORY_BYTES) return
    if (remainingWaitMs > 0) await waitForReader()
    if (memoryBytes < MEMORY_BYTES || isClosed) return
    // why: in one write, so that memory has no newer chunk while the file has older ones
    const moved = Buffer.concat(memory)
    for (const chunkInMemory of memory.splice(0)) recycleChunk(chunkInMemory)
    memoryBytes = 0
    file ??= await spillFiles.open(organizationId)
    await file.append(moved)
  }

  async function waitForReader(): Promise<void> {
    const from = performance.now()
    const timer = setTimeout(() => wakeSource?.(), remainingWaitMs)
    await new Promise<void>(resolve => (wakeSource = resolve))
    wakeSource = undefined
    clearTimeout(timer)
    remainingWaitMs -= performance.now() - from
  }

  async function pump(): Promise<void> {
    try {
      for await (const chunk of source) {
        if (isClosed) break
        await put(chunk).catch((error: unknown) => {
          cancel(error)
          throw error
        })
        wakeReader?.()
      }
    } catch (error) {
      failure = { error }
    }
    isEnded = true
    wakeReader?.()
    if (isClosed) await file?.close()
  }

  void pump()
  try {
    for (;;) {
      if (failure !== undefined) throw failure.error
      const chunk = memory.shift()
      if (chunk !== undefined) {
        memoryBytes -= chunk.length
        if (memoryBytes < MEMORY_BYTES) wakeSource?.()
        yield chunk
        // why: a reader that requests the next chunk no longer uses this one
        recycleChunk(chunk)
      } else if (file !== undefined && file.unreadBytes() > 0) yield await file.read()
      else if (isEnded) return
      else {
        await new Promise<void>(resolve => (wakeReader = resolve))
        wakeReader = undefined
      }
    }
  } finally {
    isClosed = true
    if (!isEnded) cancel(new Error('the client disconnected'))
    wakeSource?.()
    await file?.close()
  }
}
