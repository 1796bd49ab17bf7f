import { DEFAULT_PRODUCT } from '../../../src/definitions/product.ts'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { createCache } from '../../../src/serve/cache/cache.ts'
import { createFastPath } from '../../../src/serve/http/fast-path/fast-path.ts'
import type { Request } from '../../../src/serve/http/request.ts'
import { createMemoryBody } from '../../../src/serve/report/body.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('aliases of the fast path', () => {
  it('refer to no bytes: the cache alone decides how long a body is in memory', async () => {
    const [now, random] = [() => 0, () => 0]
    const cache = createCache({ maxBytes: 1000, observe: () => {}, now, random })
    const fastPath = createFastPath(cache, 1_000_000, now)
    const none = new Map<string, never>()
    const catalog = { reports: none, metrics: none, whole: { reports: none, metrics: none } }
    const organization = {
      id: '1',
      idType: 'integer',
      timeZone: 'UTC',
      entitled: true,
      catalog: { ...catalog, scopeId: '', product: DEFAULT_PRODUCT },
    }
    const plain = { method: 'GET', headers: {}, url: '/', receivedAt: 0 }
    const request = plain as unknown as Request
    const state = { version: 1, isOwed: false, isStored: true }
    const facts = { ...state, startedAt: 0, freshUntil: 1, staleUntil: 1 }
    const remember = (): WeakRef<Buffer> => {
      const value = createMemoryBody(Buffer.alloc(100_000))
      const metadata = {
        outcome: 'hit',
        forwarded: undefined,
        stored: false,
        ageSeconds: 0,
      } as const
      const cached = { key: 'x', value, entry: { ...facts, value }, ttlSeconds: 1, ...metadata }
      const { bytes: body, etag } = value
      const head = ['ETag', etag]
      const contentType = 'text/plain'
      const found = { metadata: cached, cached: [cached] }
      fastPath.remember(request, organization, { contentType, head, body, ...found })
      return new WeakRef(body)
    }
    const body = remember()
    expect(fastPath.byteCount()).to.be.greaterThan(0)
    // why: the target of a new WeakRef is reachable until the end of the turn
    await new Promise(resolve => setImmediate(resolve))
    collectGarbage()
    expect(body.deref()?.length).to.equal(undefined)
  })
})
