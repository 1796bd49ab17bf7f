/**
 * Reads a source ahead of a slow reader: some chunks in memory, then into a file, so that an execution ends at
 * the replica's pace and not at its client's. A quick reader never needs a file. Knows no rows.
 */
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { recycleChunk } from '../formats/output.ts'
import type { SpillFile, SpillFiles } from './spill-file.ts'

/** A reader may be this far behind before the source waits. */
const MEMORY_BYTES: Bytes = 256 * 1024
/** So long in all does the source wait for its reader before a file is used. */
const PATIENCE_MS: Milliseconds = 1000

/**
 * @param options.cancel ends the source: its reader has stopped, or there is no file for what it has not taken
 * @returns chunks of which each is valid until the next one is asked for
 * @throws what the source throws, at once; SpillFullError, SpillError
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
  let patienceMs = PATIENCE_MS
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
    if (patienceMs > 0) await waitForReader()
    if (memoryBytes < MEMORY_BYTES || isClosed) return
    // why: in one piece, so that the reader finds nothing newer in memory meanwhile
    const moved = Buffer.concat(memory)
    for (const held of memory.splice(0)) recycleChunk(held)
    memoryBytes = 0
    file ??= await spillFiles.open(organizationId)
    await file.append(moved)
  }

  async function waitForReader(): Promise<void> {
    const from = performance.now()
    const timer = setTimeout(() => wakeSource?.(), patienceMs)
    await new Promise<void>(resolve => (wakeSource = resolve))
    wakeSource = undefined
    clearTimeout(timer)
    patienceMs -= performance.now() - from
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
        // why: a reader asks for the next one when it needs this one no more
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
