import { expect } from 'chai'
import { createCache } from '../../src/serve/cache/cache.ts'
import type { Cacheable } from '../../src/serve/cache/cache.ts'
import { Problem } from '../../src/model/errors.ts'

interface Value extends Cacheable {
  readonly name: string
}
const value = (name: string, dataAsOf?: string): Value => ({ name, byteCount: 10, dataAsOf })
const unavailable = new Problem('replica_unavailable', { ru: '', en: '' })
const turn = () => new Promise(resolve => setImmediate(resolve))

/** A cache whose executions end when they are told to, or as `loads` says. */
function setUp(random = 0) {
  let nowMs = 1_000_000
  const cache = createCache({
    maxBytes: 1 << 20,
    observe: () => undefined,
    now: () => nowMs,
    random: () => random,
  })
  const common = {
    organizationId: 'one',
    freshSeconds: 60,
    staleSeconds: 3600,
    newOnly: false,
    accepts: () => true,
    signal: new AbortController().signal,
  }
  interface Run {
    readonly signal: AbortSignal
    end(value: Value): void
    fail(error: Error): void
  }
  const runs: Run[] = []
  const get = (
    options: { newOnly?: boolean; signal?: AbortSignal; accepts?: (value: Value) => boolean } = {},
  ) =>
    cache.get<Value>({
      ...common,
      key: 'key',
      load: signal =>
        new Promise((end, fail) => {
          runs.push({ signal, end, fail })
        }),
      ...options,
    })
  /** Asks, and has the execution that this starts bring it. */
  async function bring(brought: Value, options = {}) {
    const answer = get(options)
    await turn()
    runs.at(-1)!.end(brought)
    return answer
  }
  const pass = (seconds: number): void => void (nowMs += seconds * 1000)
  const hit = (key: string) => cache.hit<Value>(key, nowMs)
  return { cache, common, runs, get, bring, hit, pass }
}

describe('the cache', () => {
  it('makes up to a tenth of the fresh time random', async () => {
    for (const [random, ttlSeconds] of [
      [0, 60],
      [0.5, 57],
      [1, 54],
    ] as const) {
      const { bring, hit, pass } = setUp(random)
      await bring(value('first'))
      expect(hit('key')).to.deep.include({ ttlSeconds })
      pass(ttlSeconds)
      expect(hit('key')).to.equal(undefined)
    }
  })

  const older = '2026-11-21T10:00:00.000Z'
  const newer = '2026-11-21T10:00:00.001Z'
  const filled = async (dataAsOf: string | undefined) => {
    const world = setUp()
    await world.bring(value('first', dataAsOf))
    world.pass(60)
    return world
  }

  it('answers what it has instead of older data, for another fresh time, with its true age', async () => {
    const { bring, get, pass, runs } = await filled(newer)
    const answer = await bring(value('second', older))
    expect(answer).to.deep.include({ outcome: 'hit', stored: false, ageSeconds: 60 })
    expect(answer.value.name).to.equal('first')
    pass(59)
    expect((await get()).value.name).to.equal('first')
    expect(runs).to.have.length(2)
  })

  it('gives older data to a client that asked for an execution, and keeps what it has', async () => {
    const { bring, get } = await filled(newer)
    const answer = await bring(value('second', older), { newOnly: true })
    expect(answer).to.deep.include({ outcome: 'miss', stored: false })
    expect(answer.value.name).to.equal('second')
    expect((await get()).value.name).to.equal('first')
  })

  it('makes nothing fresh again for data that can be used once', async () => {
    const { bring, hit } = await filled(newer)
    const answer = await bring({ name: 'stream', dataAsOf: older })
    expect(answer.value.name).to.equal('stream')
    expect(hit('key')).to.equal(undefined)
  })

  it('keeps nothing longer than it may be stale', async () => {
    const { bring, pass } = await filled(newer)
    for (let minute = 1; minute < 60; minute += 1) {
      expect((await bring(value('second', older))).value.name, `${minute}`).to.equal('first')
      pass(60)
    }
    expect((await bring(value('second', older))).value.name).to.equal('second')
  })

  for (const [kept, made] of [
    [older, older],
    [older, newer],
    [undefined, older],
    [newer, undefined],
  ]) {
    it(`replaces data of ${kept ?? 'unknown age'} by data of ${made ?? 'unknown age'}`, async () => {
      const { bring } = await filled(kept)
      const answer = await bring(value('second', made))
      expect(answer).to.deep.include({ outcome: 'miss', forwarded: 'stale', stored: true })
    })
  }

  it('serves a stale answer where none can be had, up to its time, and not for a defect', async () => {
    const { bring, get, pass, runs } = setUp()
    const failed = async (reason: Error, options = {}) => {
      const answer = get(options).catch((thrown: unknown) => thrown)
      await turn()
      runs.at(-1)!.fail(reason)
      return answer
    }
    await bring(value('first'))
    expect(await failed(unavailable, { newOnly: true })).to.equal(unavailable)
    pass(100)
    const stale = { outcome: 'stale', ageSeconds: 100, ttlSeconds: -40 }
    expect(await failed(unavailable)).to.deep.include(stale)
    const bug = new Error('bug')
    expect(await failed(bug)).to.equal(bug)
    pass(3500)
    expect(await failed(unavailable)).to.equal(unavailable)
    expect((await bring(value('second'))).value.name, 'no error is kept').to.equal('second')
  })

  it('cancels a value that can be used once when all who wanted it have left', async () => {
    const { get, runs } = setUp()
    const gone = new AbortController()
    let discarded = false
    const answer = get({ signal: gone.signal }).catch(() => 'left')
    await turn()
    // why: a load may not heed its signal in time
    runs[0]!.end({ name: 'stream', cancel: () => (discarded = true) })
    gone.abort()
    await answer
    await turn()
    expect(discarded).to.equal(true)
  })

  it('loads anew for a request that cannot take what is cached, and gives that to those that can', async () => {
    const { get, bring, runs } = setUp()
    await bring(value('xlsx only'))
    const accepts = ({ name }: Value): boolean => name === 'rows'
    const loaded = await bring(value('rows'), { accepts })
    expect(loaded).to.deep.include({ outcome: 'miss', stored: true })
    expect((await get({ accepts })).value.name).to.equal('rows')
    expect(runs).to.have.length(2)
  })

  it('loads for each of several that cannot take what they have waited for', async () => {
    const { get, runs } = setUp()
    const accepts = ({ name }: Value): boolean => name === 'rows'
    const [first, second] = [get(), get({ accepts })]
    await turn()
    runs[0]!.end(value('xlsx only'))
    expect((await first).value.name).to.equal('xlsx only')
    await turn()
    runs[1]!.end(value('rows'))
    expect(await second).to.deep.include({ outcome: 'miss', stored: true })
  })

  it('lets a value grow while it is cached and small enough, and counts its bytes', async () => {
    const { cache, bring, hit } = setUp()
    const { value: report } = await bring(value('report'))
    const before = cache.byteCount()
    expect(cache.grow('key', report, 1010)).to.equal(true)
    expect(cache.byteCount()).to.equal(before + 1000)
    expect(cache.grow('key', report, 1 << 20), 'beyond its share').to.equal(false)
    expect(cache.grow('key', value('another'), 20)).to.equal(false)
    expect(cache.grow('other', report, 20)).to.equal(false)
    expect([cache.byteCount(), hit('key')?.value]).to.deep.equal([before + 1000, report])
  })
})
