/** The headers of answers, as the flat list that Node takes: the same whichever way a request goes. */
import type { ServerResponse } from 'node:http'
import type { Coding } from '../body/content-coding.ts'
import type { Instant } from '../../model/terms.ts'
import type { Language } from './negotiation.ts'
import { cacheStatus } from './cache-status.ts'
import type { CacheNews } from './cache-status.ts'
import type { Connections } from './connections.ts'
import type { RequestState, Timing } from './request-state.ts'

/** What an answer is, whoever gets it. */
export interface Representation {
  readonly contentType: string
  readonly contentLocation: string
  /** What a file of it is called. */
  readonly disposition: string | undefined
  readonly coding: Coding
}

export interface AnswerHead extends Representation {
  readonly dataAsOf: Instant | undefined
  readonly news: CacheNews
}

const VARY = 'Authorization, X-Api-Key, Accept, Accept-Encoding'

const NO_SNIFF = ['X-Content-Type-Options', 'nosniff']

/** Of every response, beside its `X-Request-Id`. */
export const COMMON_HEAD = [...NO_SNIFF, 'Vary', VARY]

/** Of every problem, over what was set before. */
export function problemHead(requestId: string, language: Language): string[] {
  const ofProblem = ['Vary', `${VARY}, Accept-Language`, 'Cache-Control', 'no-store']
  return ['X-Request-Id', requestId, ...NO_SNIFF, ...ofProblem, 'Content-Language', language]
}

/**
 * What stays as it is for as long as a response is cached.
 * @param etag undefined on one that is not cached
 */
export function lastingHead(
  { contentLocation, disposition, coding, dataAsOf }: Omit<AnswerHead, 'news'>,
  etag: string | undefined,
): string[] {
  const list = ['Content-Location', contentLocation, 'Cache-Control', 'private, no-cache']
  if (disposition !== undefined) list.push('Content-Disposition', disposition)
  if (coding !== 'identity') list.push('Content-Encoding', coding)
  if (dataAsOf !== undefined) list.push('Data-As-Of', dataAsOf)
  if (etag !== undefined) list.push('ETag', etag, 'Accept-Ranges', 'bytes')
  return list
}

/** What the moment has a part in. */
export function momentHead(news: CacheNews): string[] {
  return ['Age', String(news.ageSeconds), 'Cache-Status', cacheStatus(news)]
}

/** What is known last: how long stages took, and whether the connection stays open. */
export function completeHead(state: RequestState, connections: Connections): void {
  const { response, timings } = state
  connections.setKeepAlive(response, state.connection)
  if (timings.length > 0 && !response.headersSent) {
    response.setHeader('Server-Timing', serverTiming(timings))
  }
}

/** @param list names and values in turn */
export function setAll(response: ServerResponse, list: readonly string[]): void {
  for (let at = 0; at < list.length; at += 2) response.setHeader(list[at]!, list[at + 1]!)
}

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
