import { expect } from 'chai'
import type { CacheMetadata } from '../../src/serve/cache/entry.ts'
import { cacheStatus, mergeMetadata } from '../../src/serve/http/response.ts'

const cached = { forwarded: undefined, stored: false } as const
const hit: CacheMetadata = { ...cached, outcome: 'hit', ageSeconds: 5, ttlSeconds: 55 }
const stale: CacheMetadata = { ...cached, outcome: 'stale', ageSeconds: 90, ttlSeconds: -30 }
const loaded = { forwarded: 'miss', stored: true, ageSeconds: 0, ttlSeconds: 60 } as const
const miss: CacheMetadata = { ...loaded, outcome: 'miss' }
const collapsed: CacheMetadata = { ...loaded, outcome: 'collapsed' }

describe('the Cache-Status of several cached values', () => {
  for (const [name, metadata, expected] of [
    ['hits', [hit, { ...hit, ttlSeconds: 7 }], 'svodka; hit; ttl=7'],
    ['a hit and a collapsed one', [hit, collapsed], 'svodka; fwd=miss; stored; collapsed'],
    ['a collapsed one and a miss', [collapsed, miss, hit], 'svodka; fwd=miss; stored'],
    ['one that is not stored', [miss, { ...miss, stored: false }], 'svodka; fwd=miss'],
    ['a stale one', [miss, stale, hit], 'svodka; hit; ttl=-30; detail=stale'],
  ] as const) {
    it(`is that of the most expensive outcome: ${name}`, () => {
      expect(cacheStatus(mergeMetadata(metadata)!)).to.equal(expected)
    })
  }

  it('has the age of the oldest value', () => {
    expect(mergeMetadata([hit, miss])).to.include({ ageSeconds: 5, ttlSeconds: 55 })
  })
})
