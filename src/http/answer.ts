/** Body -> Response: the headers of an answer that the cache has a part in, 304, HEAD and streams. */
import { pipeline } from 'node:stream/promises'
import type { CacheAnswer } from '../cache/report-cache.ts'
import type { StreamedBody } from '../reports/body.ts'
import type { CacheOutcome, Instant, Milliseconds } from '../terms.ts'
import { etagMatches } from './etag.ts'
import type { ApiContext } from './request-state.ts'

/** How the cache answered, without the value. */
export type CacheNews = Omit<CacheAnswer<unknown>, 'value'>

export interface AnswerHead {
  readonly contentType: string
  readonly contentLocation: string
  readonly dataAsOf: Instant | undefined
  readonly news: CacheNews
}

export function sendWhole(ctx: ApiContext, head: AnswerHead, bytes: Buffer, etag: string): void {
  writeHead(ctx, head)
  sendBytes(ctx, head.contentType, bytes, etag)
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

/**
 * Sends an answer as it comes. Whatever breaks it off after its first byte resets the connection, so
 * that no client takes a part for the whole; a client that reads nothing for so long is cut off.
 */
export async function sendStream(
  ctx: ApiContext,
  head: AnswerHead,
  body: StreamedBody,
  stallTimeoutMs: Milliseconds,
): Promise<void> {
  writeHead(ctx, head)
  ctx.set('Cache-Control', 'private, no-cache')
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
  body.stream.on('data', (chunk: Buffer) => (ctx.state.streamedBytes! += chunk.length))
  ctx.res.setTimeout(stallTimeoutMs, () => ctx.res.destroy())
  await pipeline(body.stream, ctx.res).catch((error: unknown) => {
    ctx.state.cause = error
    ctx.res.destroy()
  })
}

function writeHead(ctx: ApiContext, head: AnswerHead): void {
  ctx.state.cache = head.news.outcome
  ctx.set('Content-Location', head.contentLocation)
  ctx.set('Age', String(head.news.ageSeconds))
  ctx.set('Cache-Status', cacheStatus(head.news))
  if (head.dataAsOf !== undefined) ctx.set('Data-As-Of', head.dataAsOf)
}

/** @see https://www.rfc-editor.org/rfc/rfc9211 */
export function cacheStatus({ outcome, forwarded, stored, ttlSeconds }: CacheNews): string {
  switch (outcome) {
    case 'hit':
      return `svodka; hit; ttl=${ttlSeconds ?? 0}`
    case 'stale':
      return `svodka; hit; ttl=${ttlSeconds ?? 0}; detail=stale`
    case 'miss':
    case 'collapsed':
      return [
        'svodka',
        `fwd=${forwarded ?? 'miss'}`,
        ...(stored ? ['stored'] : []),
        ...(outcome === 'collapsed' ? ['collapsed'] : []),
      ].join('; ')
  }
}

const NOTHING_ASKED: CacheNews = {
  outcome: 'hit',
  forwarded: undefined,
  stored: false,
  ageSeconds: 0,
  ttlSeconds: 0,
}

const BY_COST: readonly CacheOutcome[] = ['hit', 'collapsed', 'miss', 'stale']

/** Several files behind one answer: the costliest outcome, the greatest age, the least time left. */
export function mergeNews(all: readonly CacheNews[]): CacheNews {
  const [costliest] = all.toSorted(
    (a, b) => BY_COST.indexOf(b.outcome) - BY_COST.indexOf(a.outcome),
  )
  if (!costliest) return NOTHING_ASKED
  const forwarded = all.filter(news => news.forwarded !== undefined)
  return {
    outcome: costliest.outcome,
    forwarded: forwarded[0]?.forwarded,
    stored: forwarded.every(({ stored }) => stored),
    ageSeconds: Math.max(...all.map(({ ageSeconds }) => ageSeconds)),
    ttlSeconds: Math.min(...all.map(({ ttlSeconds }) => ttlSeconds ?? 0)),
  }
}
