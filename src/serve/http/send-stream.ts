/** Bytes on their way to one client, chunk after chunk, as it takes them. Knows no headers but the length. */
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../../model/errors.ts'
import type { StreamedBody } from '../body/body.ts'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { serverTiming } from './answer-head.ts'
import type { ApiContext } from './request-state.ts'

/** Of a whole answer, at a time: who takes no more than this in `STALL_TIMEOUT` is cut off. */
export const PART_BYTES: Bytes = 256 * 1024

type Chunks = Pick<StreamedBody, 'stream' | 'sent' | 'discard' | 'contentLength'>

/**
 * Sends an answer as it comes. Whatever breaks it off after its first byte resets the connection, so
 * that no client takes a part for the whole; a client that does not read a chunk in so long is cut off.
 */
export async function sendChunks(
  ctx: ApiContext,
  body: Chunks,
  stallTimeoutMs: Milliseconds,
): Promise<void> {
  if (body.contentLength !== undefined) ctx.length = body.contentLength
  const { timings } = ctx.state
  if (timings.length > 0) ctx.set('Server-Timing', serverTiming(timings))
  ctx.respond = false
  if (ctx.method === 'HEAD') {
    body.discard()
    ctx.res.end()
    return
  }
  ctx.state.streamedBytes = 0
  // why: a socket's own time-out begins anew with every byte that is read of it
  let isWriting = false
  const stall = setTimeout(() => (isWriting ? ctx.res.destroy() : stall.refresh()), stallTimeoutMs)
  const writing = (now: boolean): void => {
    isWriting = now
    if (now) stall.refresh()
  }
  await pipeline(body.stream, chunkByChunk(ctx, body, writing)).catch((error: unknown) => {
    noteBreak(ctx, error)
    ctx.res.destroy()
  })
  clearTimeout(stall)
}

function noteBreak({ state }: ApiContext, error: unknown): void {
  if (error instanceof Problem) state.problem = error.code
  state.cause = error instanceof Problem ? error.cause : error
}

/** A whole answer in parts. */
export function inParts(bytes: Buffer): Chunks {
  const parts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, at) =>
    bytes.subarray(at * PART_BYTES, (at + 1) * PART_BYTES),
  )
  const stream = Readable.from(parts)
  return {
    stream,
    sent: () => undefined,
    discard: () => void stream.destroy(),
    contentLength: bytes.length,
  }
}

/** Writes to the response, and tells the body of each chunk that the system has taken. */
function chunkByChunk(
  { res, state }: ApiContext,
  body: Pick<Chunks, 'sent'>,
  writing: (now: boolean) => void,
): Writable {
  const writable = new Writable({
    write(chunk: Buffer, _encoding, done) {
      state.streamedBytes! += chunk.length
      writing(true)
      res.write(chunk, error => {
        writing(false)
        if (!error) body.sent(chunk)
        done(error)
      })
    },
    final(done) {
      writing(true)
      res.end(() => {
        writing(false)
        done()
      })
    },
  })
  res.once('close', () => {
    if (!res.writableFinished) writable.destroy(new Error('the client is gone'))
  })
  return writable
}
