/** `If-None-Match`. Koa's own `fresh` is not used: it lets `If-Modified-Since` undo a match (fresh 0.5). */

/**
 * Compares weakly: proxies that compress add `W/`.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2
 */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  // why: what most clients send, and a hit must not pay for taking lists apart
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
