import { expect } from 'chai'
import { createCache } from '../../src/serve/cache/cache.ts'
import type { Cacheable } from '../../src/serve/cache/entry.ts'
import { createStop } from '../../src/model/stop.ts'
import { Problem } from '../../src/model/errors.ts'

interface Value extends Cacheable {
  readonly name: string
}
const value = (name: string, dataAsOf?: string): Value => ({ name, byteCount: 10, dataAsOf })
const unavailable = new Problem('replica_unavailable', () => '')
const turn = () => new Promise(resolve => setImmediate(resolve))

/** A cache whose loads the test resolves. */
function setUp(random = 0) {
  let nowMs = 1_000_000
  const cache = createCache({
    maxBytes: 1 << 20,
    observe: () => undefined,
    now: () => nowMs,
    random: () => random,
  })
  const common = {
    organization: { id: 'one' },
    definition: { name: 'report', timeoutMs: 10_000, staleSeconds: 3600 },
    freshSeconds: 60,
    maxAgeSeconds: Infinity,
    otherKeys: () => [],
    stop: createStop(),
  }
  interface Load {
    end(value: Value): void
    fail(error: Error): void
  }
  const loads: Load[] = []
  const get = (options: { maxAgeSeconds?: number; otherKeys?: () => string[] } = {}) =>
    cache.get<Value>(
      { ...common, key: 'key', ...options },
      () => new Promise((end, fail) => loads.push({ end, fail })),
    )
  /** Requests the key and resolves the load that this starts. */
  async function load(loaded: Value, options = {}) {
    const response = get(options)
    await turn()
    loads.at(-1)!.end(loaded)
    return response
  }
  const pass = (seconds: number): void => void (nowMs += seconds * 1000)
  const hit = (key: string) => cache.hit(key, nowMs)
  return { cache, common, loads, get, load, hit, pass }
}

describe('the cache', () => {
  it('shortens the fresh period by up to a tenth at random', async () => {
    for (const [random, ttlSeconds] of [
      [0, 60],
      [0.5, 57],
      [1, 54],
    ] as const) {
      const { load, hit, pass } = setUp(random)
      await load(value('first'))
      expect(hit('key')).to.deep.include({ ttlSeconds })
      pass(ttlSeconds)
      expect(hit('key')).to.equal(undefined)
    }
  })

  const older = '2026-11-21T10:00:00.000Z'
  const newer = '2026-11-21T10:00:00.001Z'
  const filled = async (dataAsOf: string | undefined) => {
    const world = setUp()
    await world.load(value('first', dataAsOf))
    world.pass(60)
    return world
  }

  it('returns the cached value instead of older data for another fresh period, with its true age', async () => {
    const { load, get, pass, loads } = await filled(newer)
    const response = await load(value('second', older))
    expect(response).to.deep.include({ outcome: 'hit', stored: false, ageSeconds: 60 })
    expect(response.value.name).to.equal('first')
    pass(59)
    expect((await get()).value.name).to.equal('first')
    expect(loads).to.have.length(2)
  })

  it('returns older data to a client that requested an execution, and does not cache it', async () => {
    const { load, get } = await filled(newer)
    let isDiscarded = false
    const discard = (): void => void (isDiscarded = true)
    const response = await load({ ...value('second', older), discard }, { maxAgeSeconds: 0 })
    expect(isDiscarded).to.equal(true)
    expect(response).to.deep.include({ outcome: 'miss', stored: false })
    expect(response.value.name).to.equal('second')
    expect((await get()).value.name).to.equal('first')
  })

  it('returns the cached value once to a client that was sent away from a load of older data', async () => {
    const { common, cache, get, loads } = await filled(newer)
    const stop = createStop()
    let end!: () => void
    const ended = new Promise<void>(resolve => (end = resolve))
    const sentAway = cache
      .get<Value>({ ...common, key: 'key', maxAgeSeconds: 0, stop }, async () => {
        await ended
        return value('second', older)
      })
      .catch((reason: unknown) => reason)
    stop.stop(unavailable)
    expect(await sentAway).to.equal(unavailable)
    end()
    await turn()
    expect((await get({ maxAgeSeconds: 0 })).value.name).to.equal('first')
    expect(loads).to.have.length(1)
  })

  it('does not serve a value after its stale period', async () => {
    const { load, pass } = await filled(newer)
    for (let minute = 1; minute < 60; minute += 1) {
      expect((await load(value('second', older))).value.name, `${minute}`).to.equal('first')
      pass(60)
    }
    expect((await load(value('second', older))).value.name).to.equal('second')
  })

  for (const [cachedAsOf, loadedAsOf] of [
    [older, older],
    [older, newer],
    [undefined, older],
    [newer, undefined],
  ]) {
    it(`replaces data of ${cachedAsOf ?? 'unknown age'} by data of ${loadedAsOf ?? 'unknown age'}`, async () => {
      const { load } = await filled(cachedAsOf)
      const response = await load(value('second', loadedAsOf))
      expect(response).to.deep.include({ outcome: 'miss', forwarded: 'stale', stored: true })
    })
  }

  /** Requests the key and fails the load that this starts. @returns the response, or what is thrown */
  async function failed({ get, loads }: ReturnType<typeof setUp>, reason: Error, options = {}) {
    const before = loads.length
    const response = get(options).catch((thrown: unknown) => thrown)
    await turn()
    if (loads.length > before) loads.at(-1)!.fail(reason)
    return response
  }

  it('serves a stale value while no replica is available, until its stale period ends, and not for internal errors', async () => {
    const world = setUp()
    const { load, pass } = world
    await load(value('first'))
    expect(await failed(world, unavailable, { maxAgeSeconds: 0 })).to.equal(unavailable)
    pass(100)
    const stale = { outcome: 'stale', ageSeconds: 100, ttlSeconds: -40 }
    expect(await failed(world, unavailable)).to.deep.include(stale)
    const bug = new Error('bug')
    expect(await failed(world, bug)).to.equal(bug)
    pass(3500)
    expect(await failed(world, unavailable)).to.equal(unavailable)
    expect((await load(value('second'))).value.name, 'no error is cached').to.equal('second')
  })

  for (const [code, seconds, hasStale] of [
    ['report_timeout', 10, true],
    ['result_too_large', 5, false],
    ['internal_error', 5, false],
  ] as const) {
    it(`remembers ${code} for ${seconds} s, even with no-cache; a stale value: ${hasStale}`, async () => {
      const world = setUp()
      const { load, pass, loads } = world
      await load(value('first'))
      pass(100)
      const problem = new Problem(code, () => '')
      const outcomes = []
      for (let second = 0; second <= seconds; second += 1) {
        expect(await failed(world, problem, { maxAgeSeconds: 0 })).to.equal(problem)
        outcomes.push(await failed(world, problem))
        expect(loads.length, `${second}`).to.equal(second < seconds ? 2 : 3)
        pass(1)
      }
      for (const outcome of outcomes) {
        if (hasStale) expect(outcome).to.deep.include({ outcome: 'stale' })
        else expect(outcome).to.equal(problem)
      }
      pass(seconds)
      expect((await load(value('second'))).value.name).to.equal('second')
    })
  }

  for (const [code, isStale] of [
    ['report_timeout', true],
    ['result_too_large', true],
    ['internal_error', true],
    ['rate_limited', false],
    ['overloaded', false],
    ['replica_unavailable', false],
  ] as const) {
    it(`has a fresh value after a refresh with ${code}: ${!isStale}`, async () => {
      const world = setUp()
      const other = { ...world.common, key: 'other' }
      await world.load(value('first'))
      await world.cache.get(other, async () => value('other'))
      const problem = new Problem(code, () => '')
      const refresh = { maxAgeSeconds: 0, otherKeys: () => ['other'] }
      expect(await failed(world, problem, refresh)).to.equal(problem)
      for (const key of ['key', 'other'])
        expect(world.hit(key) === undefined, key).to.equal(isStale)
    })
  }

  it('serves as stale what is in flight when a newer load of the same rows has ended, and shares it no more', async () => {
    const { load, get, hit, pass, loads, cache, common } = setUp()
    const older = get()
    await turn()
    pass(1)
    const refresh = { ...common, key: 'other', maxAgeSeconds: 0, otherKeys: () => ['key'] }
    await cache.get(refresh, async () => value('newest'))
    const later = get()
    loads[0]!.end(value('before'))
    expect((await older).value.name).to.equal('before')
    expect([hit('key'), hit('other')?.value]).to.deep.equal([undefined, value('newest')])
    await turn()
    loads[1]!.end(value('after'))
    expect((await later).value.name).to.equal('after')
    expect(hit('key')?.value).to.deep.equal(value('after'))
    expect((await load(value('last'), { maxAgeSeconds: 0 })).value.name).to.equal('last')
  })

  it('is refreshed by any limit of the age, whatever was cached', async () => {
    const { cache, common, hit, load } = setUp()
    await cache.get({ ...common, key: 'other' }, async () => value('other'))
    await load(value('first'), { maxAgeSeconds: 60, otherKeys: () => ['other'] })
    expect([hit('key')?.value, hit('other')]).to.deep.equal([value('first'), undefined])
  })

  it('does not serve older data as fresh that another replica returned during a refresh', async () => {
    const { cache, common, hit, get, pass, loads } = setUp()
    const refreshed = get({ maxAgeSeconds: 0, otherKeys: () => ['other'] })
    await turn()
    pass(1)
    await cache.get({ ...common, key: 'other' }, async () => value('other', older))
    expect(hit('other')?.value.dataAsOf).to.equal(older)
    loads[0]!.end(value('newest', newer))
    expect((await refreshed).value.dataAsOf).to.equal(newer)
    expect(hit('other')).to.equal(undefined)
  })

  it('delivers what is owed after a refresh of another format, once', async () => {
    const { cache, common, hit, get, pass } = setUp()
    const stop = createStop()
    let end!: () => void
    const ended = new Promise<void>(resolve => (end = resolve))
    const sentAway = cache
      .get<Value>({ ...common, key: 'key', stop }, () => ended.then(() => value('owed')))
      .catch((reason: unknown) => reason)
    stop.stop(unavailable)
    await sentAway
    end()
    await turn()
    pass(1)
    const refresh = { ...common, key: 'other', maxAgeSeconds: 0, otherKeys: () => ['key'] }
    await cache.get(refresh, async () => value('newest'))
    const owed = await get({ maxAgeSeconds: 0 })
    expect([owed.value.name, owed.outcome]).to.deep.equal(['owed', 'hit'])
    owed.entry.isOwed = false
    expect(hit('key')).to.equal(undefined)
  })

  it('loads a value again that is gone, and discards one that is replaced or has expired', async () => {
    const { load, get, hit, pass, loads } = setUp()
    let discardCount = 0
    const file = { ...value('file'), isGone: false, discard: () => void (discardCount += 1) }
    await load(file)
    expect((await get()).value).to.equal(file)
    file.isGone = true
    expect((await load(value('second'))).outcome).to.equal('miss')
    expect(loads).to.have.length(2)
    pass(1)
    expect((await get()).value.name).to.equal('second')
    discardCount = 0
    file.isGone = false
    await load(file, { maxAgeSeconds: 0 })
    await load({ ...file }, { maxAgeSeconds: 0 })
    expect(discardCount, 'replaced').to.equal(1)
    pass(3600)
    expect([hit('key'), discardCount], 'expired').to.deep.equal([undefined, 2])
  })

  it('discards values that it evicts', async () => {
    const { cache, common } = setUp()
    const discarded: string[] = []
    for (const name of ['first', 'second']) {
      const discard = (): void => void discarded.push(name)
      const body = { ...value(name), byteCount: 250_000, discard }
      await cache.get({ ...common, key: name }, async () => body)
    }
    expect(discarded).to.deep.equal(['first'])
  })

  it('grows a value while it is cached and small enough, and counts its bytes', async () => {
    const { cache, load, hit } = setUp()
    const report = await load(value('report'))
    const before = cache.byteCount()
    expect(cache.grow(report, 1000)).to.equal(true)
    expect(cache.byteCount()).to.equal(before + 1000)
    expect(cache.grow(report, 1 << 20), 'beyond its share').to.equal(false)
    expect([cache.byteCount(), hit('key')?.entry]).to.deep.equal([before + 1000, report.entry])
    await load(value('another'), { maxAgeSeconds: 0 })
    expect(cache.grow(report, 20), 'replaced').to.equal(false)
  })
})
