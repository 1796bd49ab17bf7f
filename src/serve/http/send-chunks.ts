/** Bytes on their way to one client, chunk after chunk, as it takes them. Knows no headers but the length. */
import { Problem } from '../../model/errors.ts'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { serverTiming } from './answer-head.ts'
import type { ApiContext } from './request-state.ts'

/** Of a whole body, at a time: a client that takes no more than this in `STALL_TIMEOUT` is disconnected. */
export const PART_BYTES: Bytes = 256 * 1024

/**
 * Sends a body as it comes. Whatever breaks it off after its first byte resets the connection, so that no
 * client takes a part for the whole; a client that does not read a chunk in so long is disconnected.
 */
export async function sendChunks(
  ctx: ApiContext,
  chunks: AsyncIterable<Buffer>,
  contentLength: Bytes | undefined,
  stallTimeoutMs: Milliseconds,
  /** Aborts when the body has failed. */
  signal?: AbortSignal,
): Promise<void> {
  const { res, state } = ctx
  if (contentLength !== undefined) ctx.length = contentLength
  if (state.timings.length > 0) ctx.set('Server-Timing', serverTiming(state.timings))
  ctx.respond = false
  if (ctx.method === 'HEAD') {
    res.end()
    return
  }
  state.streamedBytes = 0
  try {
    for await (const chunk of chunks) {
      if (res.destroyed) return
      state.streamedBytes += chunk.length
      await taken(done => res.write(chunk, done))
    }
    await taken(done => res.end(done))
  } catch (error) {
    if (error instanceof Problem) state.problem = error.code
    state.cause = error instanceof Problem ? error.cause : error
    res.destroy()
  }

  /** Resolves when the system has taken what is written. @throws Error if the client disconnected or does not read. */
  function taken(write: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error | null): void => {
        clearTimeout(stall)
        res.off('close', gone)
        signal?.removeEventListener('abort', failed)
        if (error) reject(error)
        else resolve()
      }
      const gone = (): void => settle(new Error('the client disconnected'))
      const failed = (): void => settle(signal!.reason as Error)
      // why: a socket's own timeout begins anew with every byte that is read of it
      const stall = setTimeout(() => res.destroy(), stallTimeoutMs)
      res.once('close', gone)
      signal?.addEventListener('abort', failed)
      write(settle)
    })
  }
}

/** A whole body in parts. */
export async function* inParts(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}
