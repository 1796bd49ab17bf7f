import { expect } from 'chai'
import { cacheStatus, mergeNews } from '../../src/serve/http/response-head.ts'
import type { CacheNews } from '../../src/serve/http/response-head.ts'

const kept = { forwarded: undefined, stored: false } as const
const hit: CacheNews = { ...kept, outcome: 'hit', ageSeconds: 5, ttlSeconds: 55 }
const stale: CacheNews = { ...kept, outcome: 'stale', ageSeconds: 90, ttlSeconds: -30 }
const ran = { forwarded: 'miss', stored: true, ageSeconds: 0, ttlSeconds: 60 } as const
const miss: CacheNews = { ...ran, outcome: 'miss' }
const collapsed: CacheNews = { ...ran, outcome: 'collapsed' }

describe('the Cache-Status of several answers', () => {
  for (const [name, news, expected] of [
    ['none', [], 'svodka; hit; ttl=0'],
    ['hits', [hit, { ...hit, ttlSeconds: 7 }], 'svodka; hit; ttl=7'],
    ['a hit and a collapsed one', [hit, collapsed], 'svodka; fwd=miss; stored; collapsed'],
    ['a collapsed one and a miss', [collapsed, miss, hit], 'svodka; fwd=miss; stored'],
    ['one that is not stored', [miss, { ...miss, stored: false }], 'svodka; fwd=miss'],
    ['a stale one', [miss, stale, hit], 'svodka; hit; ttl=-30; detail=stale'],
  ] as const) {
    it(`is that of the costliest: ${name}`, () => {
      expect(cacheStatus(mergeNews(news))).to.equal(expected)
    })
  }

  it('has the age of the oldest', () => {
    expect(mergeNews([hit, miss])).to.include({ ageSeconds: 5, ttlSeconds: 55 })
  })
})
