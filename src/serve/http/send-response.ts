/** Body -> Response: its headers, 304, HEAD, parts and streams, at the pace of its client. */
import { printable, Problem } from '../../model/errors.ts'
import type { StreamedBody } from '../body/streamed-body.ts'
import type { Deliver } from '../body/delivery.ts'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { tooMuchUnread } from '../body/unread.ts'
import type { Outgoing } from '../body/unread.ts'
import { lastingHead, momentHead, serverTiming, setAll } from './response-head.ts'
import type { ResponseHead } from './response-head.ts'
import { etagMatches, readRange } from './conditional-request.ts'
import type { ByteRange } from './conditional-request.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext } from './active-requests.ts'

/** What holds for everything that is sent. */
export interface Sending {
  readonly outgoing: Outgoing
  readonly deliver: Deliver
  readonly stallTimeoutMs: Milliseconds
}

/** @throws Problem `range_not_satisfiable`, `overloaded` */
export async function sendWhole(
  ctx: ApiContext,
  head: ResponseHead,
  { bytes, etag }: { readonly bytes: Buffer; readonly etag: string },
  { outgoing, stallTimeoutMs }: Sending,
): Promise<void> {
  ctx.state.cache = head.news.outcome
  // why: a client that has left closes nothing any more, and would be taken for one that reads
  if (ctx.res.closed) return
  const isKnown = etagMatches(ctx.get('If-None-Match'), etag)
  const part = isKnown ? undefined : partOf(ctx, bytes, etag)
  const isSent = !isKnown && ctx.method !== 'HEAD'
  const { id } = organizationOf(ctx)
  if (isSent && !outgoing.hasRoom(id, bytes)) throw tooMuchUnread()
  setHead(ctx, head, etag)
  if (isKnown) {
    ctx.status = 304
    return
  }
  const sent = part === undefined ? bytes : bytes.subarray(part.start, part.end)
  ctx.status = part === undefined ? 200 : 206
  if (part) ctx.set('Content-Range', `bytes ${part.start}-${part.end - 1}/${bytes.length}`)
  if (isSent) ctx.res.once('close', outgoing.begin(id, bytes))
  if (isSent && sent.length > PART_BYTES) {
    ctx.type = head.contentType
    return sendChunks(ctx, inParts(sent), sent.length, stallTimeoutMs)
  }
  ctx.body = sent
  ctx.type = head.contentType
}

/** As it comes. */
export function sendStream(
  ctx: ApiContext,
  head: ResponseHead,
  body: StreamedBody,
  { deliver, stallTimeoutMs }: Sending,
): Promise<void> {
  ctx.state.cache = head.news.outcome
  setHead(ctx, head, undefined)
  ctx.status = 200
  ctx.type = head.contentType
  if (ctx.method === 'HEAD' || ctx.res.closed) body.cancel()
  // why: a client may disconnect while the next chunk is awaited
  ctx.res.once('close', () => body.cancel())
  const length = head.coding === 'identity' ? body.contentLength : undefined
  return sendChunks(ctx, deliver(body, head.coding), length, stallTimeoutMs, body.signal)
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
    en: `The answer has ${length} bytes, and Range asks for ${printable(range)}. Take the whole answer.`,
  })
}

/** A representation with its validator; 304 where the client has it already. */
export function sendBytes(ctx: ApiContext, contentType: string, bytes: Buffer, etag: string): void {
  ctx.set('Cache-Control', 'private, no-cache')
  ctx.set('ETag', etag)
  if (etagMatches(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304
    return
  }
  ctx.status = 200
  ctx.body = bytes
  ctx.type = contentType
}

function setHead(ctx: ApiContext, head: ResponseHead, etag: string | undefined): void {
  setAll(ctx.res, lastingHead(head, etag))
  setAll(ctx.res, momentHead(head.news))
}

/** Of a whole body, at a time: a client that takes no more than this in `STALL_TIMEOUT` is disconnected. */
export const PART_BYTES: Bytes = 256 * 1024

/**
 * Sends a body as it comes. Whatever breaks it off after its first byte resets the connection, so that no
 * client takes a part for the whole; a client that does not read a chunk in so long is disconnected.
 */
async function sendChunks(
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
