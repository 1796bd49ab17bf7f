/** How the cache answered, in RFC 9211's words, and of several answers as one. */
import type { Cached } from '../cache/cache.ts'
import type { CacheOutcome } from '../../model/terms.ts'

/** How the cache answered, without the value. */
export type CacheNews = Omit<Cached<unknown>, 'value'>

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
