/** Body -> Response: the headers of an answer that the cache has a part in, 304, HEAD, parts and streams. */
import { printable, Problem } from '../../model/errors.ts'
import type { StreamedBody } from '../body/streamed-body.ts'
import type { Deliver } from '../body/delivery.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { tooMuchUnread } from '../body/unread.ts'
import { lastingHead, momentHead, setAll } from './answer-head.ts'
import type { AnswerHead } from './answer-head.ts'
import type { Outgoing } from './outgoing.ts'
import { etagMatches, readRange } from './conditional-request.ts'
import type { ByteRange } from './conditional-request.ts'
import { organizationOf } from './request-state.ts'
import type { ApiContext } from './request-state.ts'
import { inParts, PART_BYTES, sendChunks } from './send-chunks.ts'

/** What holds for everything that is sent. */
export interface Sending {
  readonly outgoing: Outgoing
  readonly deliver: Deliver
  readonly stallTimeoutMs: Milliseconds
}

/** @throws Problem `range_not_satisfiable`, `overloaded` */
export async function sendWhole(
  ctx: ApiContext,
  head: AnswerHead,
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
  head: AnswerHead,
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

function setHead(ctx: ApiContext, head: AnswerHead, etag: string | undefined): void {
  setAll(ctx.res, lastingHead(head, etag))
  setAll(ctx.res, momentHead(head.news))
}
