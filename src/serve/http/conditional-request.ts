/**
 * `If-None-Match`, and `Range` with `If-Range`. Koa's `fresh` 0.5 is not used: its `If-Modified-Since` overrides a
 * match.
 */
/**
 * Weak comparison, since compressing proxies add `W/`.
 * @param etag strong, with its quotes: no other tag of a list contains it
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2
 */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*'
}

/** Half-open. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

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
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range) ?? []
  if (first + last === '') return undefined
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  const end = first === '' || last === '' ? length : Math.min(Number(last) + 1, length)
  return start < length ? { start, end } : 'none'
}
