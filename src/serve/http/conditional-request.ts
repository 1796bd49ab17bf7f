/**
 * `If-Match`, `If-None-Match`, and `Range` with `If-Range`. Koa's `fresh` 0.5 is not used: its `If-Modified-Since`
 * overrides a match.
 */
import { printable, Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'
import { representationOf, type MemoryBody } from '../report/body.ts'
import { chooseCoding } from './negotiation.ts'
import type { Request, RequestHeaders } from './request.ts'

/**
 * Weak comparison, since compressing proxies add `W/`.
 * @param etag strong, with its quotes: no other tag of a list contains it
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2
 */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*'
}

/** Strong comparison, in linear time without a list. @throws Problem `precondition_failed` unless it has this tag */
export function requireMatch(ifMatch: string, etag: string): void {
  const at = ifMatch.indexOf(etag)
  const isStrong = at >= 0 && ifMatch[at - 1] !== '/'
  if (isStrong || ifMatch.trim() === '*') return
  throw new Problem('precondition_failed', texts => texts.otherVersion)
}

/**
 * One range of a whole body, for a resumed download.
 * @returns a half-open range; undefined if the whole body is sent, such as for several or invalid ranges
 * @throws Problem `precondition_required` for a rest without `If-Range` or an `If-Match` that names one version;
 *   `range_not_satisfiable`
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-range-requests
 */
export function readRange(
  { range = '', ifRange = '', ifMatch }: Partial<RequestHeaders>,
  etag: string,
  length: Bytes,
): { readonly start: Bytes; readonly end: Bytes } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range) ?? []
  // why: curl -C - and wget -c append what they get, so a file would have parts of two versions
  if (Number(first) > 0 && last === '' && ifRange === '' && ifMatch?.trim() !== etag) {
    throw new Problem('precondition_required', texts => texts.versionRequired)
  }
  // why: a weak tag or a date does not identify the bytes
  if (ifRange !== '' && ifRange !== etag) return undefined
  if (first + last === '') return undefined
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  const end = first === '' || last === '' ? length : Math.min(Number(last) + 1, length)
  if (start >= length) throw notSatisfiable(range, length)
  return { start, end }
}

function notSatisfiable(range: string, length: Bytes): Problem {
  return new Problem('range_not_satisfiable', texts => texts.noSuchBytes(length, printable(range)))
}

/** In the content coding that the client accepts; without bytes if it has them. */
export function representationFor({ headers }: Request, body: MemoryBody) {
  const { acceptEncoding, ifNoneMatch = '' } = headers
  const isCached = (etag: string): boolean => etagMatches(ifNoneMatch, etag)
  return representationOf(body, chooseCoding(acceptEncoding), isCached)
}
