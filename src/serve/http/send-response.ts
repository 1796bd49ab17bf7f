/** Sends a body: headers, 304, HEAD, ranges and streams, with backpressure. */
import { printable, Problem } from '../../model/errors.ts'
import type { StreamedBody } from '../report/streamed-body.ts'
import type { Deliver } from '../report/delivery.ts'
import type { Bytes, Clock, Milliseconds } from '../../model/terms.ts'
import { tooMuchBuffered } from '../report/buffered-bytes.ts'
import type { OutgoingBodies } from '../report/buffered-bytes.ts'
import { representationHead, cacheHead, serverTiming, setAll } from './response-head.ts'
import type { ResponseHead } from './response-head.ts'
import { etagMatches, readRange } from './conditional-request.ts'
import type { ByteRange } from './conditional-request.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext } from './active-requests.ts'

/** Options for all responses. */
export interface SendOptions {
  readonly outgoing: OutgoingBodies
  readonly deliver: Deliver
  readonly stallTimeoutMs: Milliseconds
  readonly now: Clock
}

/** @throws Problem `range_not_satisfiable`, `overloaded` */
export async function sendWhole(
  ctx: ApiContext,
  head: ResponseHead,
  { bytes, etag }: { readonly bytes: Buffer; readonly etag: string },
  options: SendOptions,
): Promise<void> {
  const { outgoing } = options
  ctx.state.cache = head.metadata.outcome
  // why: 'close' has been emitted already, so the bytes would be counted forever
  if (ctx.res.closed) return
  const isNotModified = etagMatches(ctx.get('If-None-Match'), etag)
  const part = isNotModified ? undefined : partOf(ctx, bytes, etag)
  const hasBody = !isNotModified && ctx.method !== 'HEAD'
  const { id } = organizationOf(ctx)
  if (hasBody && !outgoing.fits(id, bytes)) throw tooMuchBuffered()
  setHead(ctx, head, etag)
  if (isNotModified) {
    ctx.status = 304
    return
  }
  const sent = part === undefined ? bytes : bytes.subarray(part.start, part.end)
  ctx.status = part === undefined ? 200 : 206
  if (part) ctx.set('Content-Range', `bytes ${part.start}-${part.end - 1}/${bytes.length}`)
  if (hasBody) ctx.res.once('close', outgoing.begin(id, bytes))
  if (hasBody && sent.length > PART_BYTES) {
    ctx.type = head.contentType
    return sendChunks(ctx, inParts(sent), sent.length, options)
  }
  ctx.body = sent
  ctx.type = head.contentType
}

export function sendStream(
  ctx: ApiContext,
  head: ResponseHead,
  body: StreamedBody,
  options: SendOptions,
): Promise<void> {
  ctx.state.cache = head.metadata.outcome
  setHead(ctx, head)
  ctx.status = 200
  ctx.type = head.contentType
  if (ctx.method === 'HEAD' || ctx.res.closed) body.cancel()
  // why: a client may disconnect while the next chunk is awaited
  ctx.res.once('close', () => body.cancel())
  const length = head.coding === 'identity' ? body.contentLength : undefined
  return sendChunks(ctx, options.deliver(body, head.coding), length, options, body.signal)
}

/** @throws Problem `range_not_satisfiable` */
function partOf(ctx: ApiContext, { length }: Buffer, etag: string): ByteRange | undefined {
  const range = ctx.method === 'GET' ? ctx.get('Range') : ''
  if (range === '') return undefined
  const part = readRange(range, ctx.get('If-Range'), etag, length)
  if (part !== 'none') return part
  ctx.set('Content-Range', `bytes */${length}`)
  throw new Problem('range_not_satisfiable', {
    ru: `В ответе ${length} байт, а в Range запрошено: ${printable(range)}. Возьмите ответ целиком.`,
    en: `The response has ${length} bytes, Range requests ${printable(range)}. Request the whole response.`,
  })
}

function setHead(ctx: ApiContext, head: ResponseHead, etag?: string): void {
  setAll(ctx.res, representationHead(head, etag))
  setAll(ctx.res, cacheHead(head.metadata))
  ctx.state.ageSeconds = head.metadata.ageSeconds
}

/** Whole bodies are sent in parts: a client that does not read one part within `stallTimeoutMs` is disconnected. */
export const PART_BYTES: Bytes = 256 * 1024

/**
 * Sends chunks with backpressure. A failure after the first byte resets the connection, so that no client takes
 * a partial body for a complete one. A client that does not read a chunk in time is disconnected.
 */
async function sendChunks(
  ctx: ApiContext,
  chunks: AsyncIterable<Buffer>,
  contentLength: Bytes | undefined,
  { stallTimeoutMs, now }: SendOptions,
  /** Aborts if the body fails. */
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
      state.firstByteAt ??= now()
      await written(done => res.write(chunk, done))
    }
    await written(done => res.end(done))
  } catch (error) {
    if (error instanceof Problem) state.problem = error.code
    state.cause = error instanceof Problem ? error.cause : error
    res.destroy()
  }

  /** Resolves when the kernel has accepted the bytes. @throws Error if the client disconnects or does not read. */
  function written(write: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error | null): void => {
        clearTimeout(stall)
        res.off('close', onClose)
        signal?.removeEventListener('abort', onAbort)
        if (error) reject(error)
        else resolve()
      }
      const onClose = (): void => settle(new Error('the client disconnected'))
      const onAbort = (): void => settle(signal!.reason as Error)
      // why: a socket's timeout restarts with every byte that the client reads
      const stall = setTimeout(() => res.destroy(), stallTimeoutMs)
      res.once('close', onClose)
      signal?.addEventListener('abort', onAbort)
      write(settle)
    })
  }
}

async function* inParts(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}
