/** `If-None-Match`. Koa's own `fresh` is not used: it lets `If-Modified-Since` undo a match (fresh 0.5). */

const TAGS = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * Compares weakly: proxies that compress add `W/`.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2
 */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  // why: what most clients send, and a hit must not pay for taking lists apart
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(TAGS)].some(([, tag]) => tag === etag)
}
