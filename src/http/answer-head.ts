/** The headers of answers, as the flat list that Node takes: the same whichever way a request goes. */
import type { Instant, Milliseconds } from '../terms.ts'
import { cacheStatus } from './cache-status.ts'
import type { CacheNews } from './cache-status.ts'

export interface AnswerHead {
  readonly contentType: string
  readonly contentLocation: string
  readonly dataAsOf: Instant | undefined
  readonly news: CacheNews
}

/** Of every answer, problems too. */
export function frameHead(requestId: string): string[] {
  return [
    'X-Request-Id',
    requestId,
    'X-Content-Type-Options',
    'nosniff',
    'Vary',
    'Authorization, X-Api-Key, Accept, Accept-Encoding',
  ]
}

/**
 * Adds those of an answer that the cache has a part in.
 * @param etag undefined on one that is not kept
 */
export function addAnswerHead(list: string[], head: AnswerHead, etag: string | undefined): void {
  const { contentLocation, dataAsOf, news } = head
  list.push('Content-Location', contentLocation, 'Age', String(news.ageSeconds))
  list.push('Cache-Status', cacheStatus(news), 'Cache-Control', 'private, no-cache')
  if (dataAsOf !== undefined) list.push('Data-As-Of', dataAsOf)
  if (etag !== undefined) list.push('ETag', etag)
}

/** A stage and what it took, for `serverTiming`. */
export type Timing = readonly [stage: 'auth' | 'cache', durationMs: Milliseconds]

/** @see https://www.w3.org/TR/server-timing/ */
export function serverTiming(timings: readonly Timing[]): string {
  let text = ''
  for (const [stage, durationMs] of timings) {
    // why: toFixed costs as much as all other headers together
    const tenths = Math.round(durationMs * 10)
    const separator = text === '' ? '' : ', '
    text += `${separator}${stage};dur=${Math.floor(tenths / 10)}.${tenths % 10}`
  }
  return text
}
