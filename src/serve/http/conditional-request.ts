/**
 * `If-None-Match`, and `Range` with `If-Range`. Koa's `fresh` 0.5 is not used: its `If-Modified-Since` overrides a
 * match.
 */

/**
 * Weak comparison, since compressing proxies add `W/`.
 * @param etag strong
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2
 */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  // why: the common case; parsing a list would slow down hits
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  let start = ifNoneMatch.indexOf('"')
  while (start >= 0) {
    const end = ifNoneMatch.indexOf('"', start + 1)
    if (end < 0) return false
    if (end - start + 1 === etag.length && ifNoneMatch.startsWith(etag, start)) return true
    start = ifNoneMatch.indexOf('"', end + 1)
  }
  return false
}

/** Half-open. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Longer headers are ignored; two numbers need less. */
const LONGEST_RANGE = 128

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i

/**
 * One range of a whole body, for a resumed download.
 * @returns undefined if the whole body is sent, as for several or invalid ranges; 'none' if the range is not satisfiable
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-range-requests
 */
export function readRange(
  range: string,
  ifRange: string,
  etag: string,
  length: number,
): ByteRange | 'none' | undefined {
  // why: a weak tag or a date does not identify the bytes
  if (ifRange !== '' && ifRange !== etag) return undefined
  if (range.length > LONGEST_RANGE) return undefined
  const [, first = '', last = ''] = ONE_RANGE.exec(range.replaceAll(' ', '')) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const start = Math.max(0, length - Number(last))
    return start < length ? { start, end: length } : 'none'
  }
  const start = Number(first)
  if (start >= length) return 'none'
  const end = last === '' ? length : Math.min(length, Number(last) + 1)
  return end > start ? { start, end } : undefined
}
