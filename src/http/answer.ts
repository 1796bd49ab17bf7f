/** Body -> Response: the headers of an answer that the cache has a part in, 304, HEAD and streams. */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StreamedBody } from '../reports/body.ts'
import type { Milliseconds } from '../terms.ts'
import { lastingHead, momentHead } from './answer-head.ts'
import type { AnswerHead } from './answer-head.ts'
import { etagMatches } from './etag.ts'
import type { ApiContext } from './request-state.ts'

export function sendWhole(ctx: ApiContext, head: AnswerHead, bytes: Buffer, etag: string): void {
  ctx.state.cache = head.news.outcome
  setHead(ctx, head, etag)
  sendUnlessKnown(ctx, head.contentType, bytes, etag)
}

/** A representation with its validator; 304 where the client has it already. */
export function sendBytes(ctx: ApiContext, contentType: string, bytes: Buffer, etag: string): void {
  ctx.set('Cache-Control', 'private, no-cache')
  ctx.set('ETag', etag)
  sendUnlessKnown(ctx, contentType, bytes, etag)
}

function sendUnlessKnown(ctx: ApiContext, contentType: string, bytes: Buffer, etag: string): void {
  if (etagMatches(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304
    return
  }
  ctx.status = 200
  ctx.body = bytes
  ctx.type = contentType
}

/**
 * Sends an answer as it comes. Whatever breaks it off after its first byte resets the connection, so
 * that no client takes a part for the whole; a client that does not read a chunk of 64 KB in so long is
 * cut off.
 */
export async function sendStream(
  ctx: ApiContext,
  head: AnswerHead,
  body: StreamedBody,
  stallTimeoutMs: Milliseconds,
): Promise<void> {
  ctx.state.cache = head.news.outcome
  setHead(ctx, head, undefined)
  ctx.status = 200
  ctx.type = head.contentType
  if (ctx.method === 'HEAD') {
    body.discard()
    ctx.respond = false
    ctx.res.end()
    return
  }
  ctx.respond = false
  ctx.state.streamedBytes = 0
  // why: a socket's own time-out begins anew with every byte that is read of it
  let isWriting = false
  const stall = setTimeout(() => (isWriting ? ctx.res.destroy() : stall.refresh()), stallTimeoutMs)
  const writing = (now: boolean): void => {
    isWriting = now
    if (now) stall.refresh()
  }
  await pipeline(body.stream, chunkByChunk(ctx, body, writing)).catch((error: unknown) => {
    ctx.state.cause = error
    ctx.res.destroy()
  })
  clearTimeout(stall)
}

/** Writes to the response, and tells the body of each chunk that the system has taken. */
function chunkByChunk(
  { res, state }: ApiContext,
  body: StreamedBody,
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
    final: done => void res.end(done),
  })
  res.once('close', () => {
    if (!res.writableFinished) writable.destroy(new Error('the client is gone'))
  })
  return writable
}

function setHead(ctx: ApiContext, head: AnswerHead, etag: string | undefined): void {
  setAll(ctx, lastingHead(head, etag))
  setAll(ctx, momentHead(head.news))
}

/** @param list names and values in turn */
export function setAll(ctx: ApiContext, list: readonly string[]): void {
  for (let at = 0; at < list.length; at += 2) ctx.set(list[at]!, list[at + 1]!)
}
