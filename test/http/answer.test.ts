import { expect } from 'chai'
import { cacheStatus, mergeNews } from '../../src/http/cache-status.ts'
import type { CacheNews } from '../../src/http/cache-status.ts'

const hit: CacheNews = {
  outcome: 'hit',
  forwarded: undefined,
  stored: false,
  ageSeconds: 5,
  ttlSeconds: 55,
}
const miss: CacheNews = {
  outcome: 'miss',
  forwarded: 'miss',
  stored: true,
  ageSeconds: 0,
  ttlSeconds: 60,
}
const collapsed: CacheNews = { ...miss, outcome: 'collapsed' }
const stale: CacheNews = { ...hit, outcome: 'stale', ageSeconds: 90, ttlSeconds: -30 }

describe('Cache-Status', () => {
  it('is that of RFC 9211 for each way in which the cache answers', () => {
    expect(cacheStatus(hit)).to.equal('svodka; hit; ttl=55')
    expect(cacheStatus(miss)).to.equal('svodka; fwd=miss; stored')
    expect(cacheStatus({ ...miss, stored: false })).to.equal('svodka; fwd=miss')
    expect(cacheStatus({ ...miss, forwarded: 'stale' })).to.equal('svodka; fwd=stale; stored')
    expect(cacheStatus(collapsed)).to.equal('svodka; fwd=miss; stored; collapsed')
    expect(cacheStatus(stale)).to.equal('svodka; hit; ttl=-30; detail=stale')
  })

  it('says the costliest of several, and stored where all that was run is', () => {
    expect(cacheStatus(mergeNews([hit, hit]))).to.equal('svodka; hit; ttl=55')
    expect(cacheStatus(mergeNews([hit, collapsed]))).to.equal('svodka; fwd=miss; stored; collapsed')
    expect(cacheStatus(mergeNews([collapsed, miss, hit]))).to.equal('svodka; fwd=miss; stored')
    expect(cacheStatus(mergeNews([miss, { ...miss, stored: false }]))).to.equal('svodka; fwd=miss')
    expect(cacheStatus(mergeNews([miss, stale]))).to.equal('svodka; hit; ttl=-30; detail=stale')
    expect(mergeNews([hit, miss])).to.include({ ageSeconds: 5, ttlSeconds: 55 })
    expect(mergeNews([])).to.include({ outcome: 'hit' })
  })
})
