import { expect } from 'chai'
import { createReportCache } from '../../src/cache/report-cache.ts'
import type { Loaded } from '../../src/cache/answers.ts'
import { Problem } from '../../src/errors.ts'

interface Value extends Loaded {
  readonly name: string
}

const unavailable = () => new Problem('replica_unavailable', { ru: '', en: '' })
const turn = () => new Promise(resolve => setImmediate(resolve))

function setUp() {
  let nowMs = 1_000_000
  const cache = createReportCache({
    maxBytes: 1 << 20,
    observe: () => undefined,
    now: () => nowMs,
    random: () => 0,
  })
  const runs: Array<{
    end: (value: Value) => void
    fail: (error: unknown) => void
    signal: AbortSignal
  }> = []
  const load = (signal: AbortSignal) =>
    new Promise<Value>((resolve, reject) => {
      runs.push({ end: resolve, fail: reject, signal })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const get = (options: { newOnly?: boolean; signal?: AbortSignal; key?: string } = {}) =>
    cache.get({
      key: options.key ?? 'key',
      organizationId: 'one',
      freshSeconds: 60,
      staleSeconds: 3600,
      newOnly: options.newOnly ?? false,
      load,
      signal: options.signal ?? new AbortController().signal,
    })
  const value = (name: string): Value => ({ name, byteCount: 10 })
  return {
    cache,
    runs,
    get,
    value,
    now: () => nowMs,
    pass: (seconds: number) => (nowMs += seconds * 1000),
  }
}

async function fill(world: ReturnType<typeof setUp>, name = 'first') {
  const answer = world.get()
  await turn()
  world.runs.at(-1)!.end(world.value(name))
  return answer
}

describe('createReportCache', () => {
  it('runs on a miss and answers again without a run while fresh', async () => {
    const world = setUp()
    const miss = await fill(world)
    expect(miss).to.deep.include({
      outcome: 'miss',
      forwarded: 'miss',
      stored: true,
      ageSeconds: 0,
    })
    world.pass(59)
    const hit = await world.get()
    expect(hit).to.deep.include({ outcome: 'hit', ageSeconds: 59, ttlSeconds: 1 })
    expect(hit.value.name).to.equal('first')
    expect(world.runs).to.have.length(1)
  })

  describe('with data older than what is kept', () => {
    const [older, newer] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.001Z']
    const second = async (world: ReturnType<typeof setUp>, dataAsOf: string, newOnly = false) => {
      const answer = world.get({ newOnly })
      await turn()
      world.runs.at(-1)!.end({ ...world.value('second'), dataAsOf })
      return answer
    }
    const filled = async (dataAsOf: string | undefined) => {
      const world = setUp()
      const answer = world.get()
      await turn()
      world.runs.at(-1)!.end({ ...world.value('first'), ...(dataAsOf && { dataAsOf }) })
      await answer
      world.pass(60)
      return world
    }

    it('keeps and answers what it has, for another fresh time, with its true age', async () => {
      const world = await filled(newer)
      const answer = await second(world, older)
      expect(answer).to.deep.include({ outcome: 'hit', stored: false, ageSeconds: 60 })
      expect(answer.value.name).to.equal('first')
      world.pass(59)
      expect((await world.get()).value.name).to.equal('first')
      expect(world.runs).to.have.length(2)
    })

    it('gives it to who asked for a run, and keeps what it has', async () => {
      const world = await filled(newer)
      const answer = await second(world, older, true)
      expect(answer).to.deep.include({ outcome: 'miss', stored: false })
      expect(answer.value.name).to.equal('second')
      expect((await world.get()).value.name).to.equal('first')
    })

    it('makes nothing fresh again for data that can be used once', async () => {
      const world = await filled(newer)
      const answer = world.get()
      await turn()
      world.runs.at(-1)!.end({ name: 'stream', dataAsOf: older })
      expect((await answer).value.name).to.equal('stream')
      expect(world.cache.hit('key', world.now())).to.equal(undefined)
    })

    it('keeps nothing longer than it may be stale', async () => {
      const world = await filled(newer)
      for (let minute = 1; minute < 60; minute += 1) {
        await second(world, older)
        world.pass(60)
      }
      expect((await second(world, older)).value.name).to.equal('second')
    })

    it('replaces it by data as new, newer or of unknown age, and where its own age is unknown', async () => {
      for (const [kept, made] of [
        [older, older],
        [older, newer],
        [undefined, older],
      ] as const) {
        const world = await filled(kept)
        expect(await second(world, made)).to.deep.include({ outcome: 'miss', stored: true })
      }
      const world = await filled(newer)
      expect((await fill(world, 'second')).stored).to.equal(true)
    })
  })

  it('runs again when the fresh time is over', async () => {
    const world = setUp()
    await fill(world)
    world.pass(60)
    const answer = await fill(world, 'second')
    expect(answer).to.deep.include({ outcome: 'miss', forwarded: 'stale', stored: true })
    expect(answer.value.name).to.equal('second')
  })

  it('shares one run among all who ask meanwhile', async () => {
    const world = setUp()
    const answers = Promise.all([world.get(), world.get(), world.get()])
    await turn()
    expect(world.runs).to.have.length(1)
    world.runs[0]!.end(world.value('shared'))
    expect((await answers).map(({ outcome }) => outcome)).to.deep.equal([
      'miss',
      'collapsed',
      'collapsed',
    ])
  })

  it('keeps apart what has different keys', async () => {
    const world = setUp()
    const answers = Promise.all([world.get({ key: 'a' }), world.get({ key: 'b' })])
    await turn()
    world.runs[0]!.end(world.value('of a'))
    world.runs[1]!.end(world.value('of b'))
    expect((await answers).map(answer => answer.value.name)).to.deep.equal(['of a', 'of b'])
  })

  it('gives newOnly a run that starts after it asked, one for all who wait, and keeps it', async () => {
    const world = setUp()
    const first = world.get()
    await turn()
    const second = world.get({ newOnly: true })
    const third = world.get({ newOnly: true })
    await turn()
    expect(world.runs).to.have.length(1)
    world.runs[0]!.end(world.value('old'))
    expect((await first).value.name).to.equal('old')
    await turn()
    expect(world.runs).to.have.length(2)
    world.runs[1]!.end(world.value('new'))
    expect((await second).value.name).to.equal('new')
    expect(await third).to.deep.include({ outcome: 'collapsed', forwarded: 'request' })
    expect((await world.get()).value.name).to.equal('new')
  })

  it('serves a stale answer when the replica cannot give a newer one, for so long and no longer', async () => {
    const world = setUp()
    await fill(world)
    world.pass(100)
    const answer = world.get()
    await turn()
    world.runs[1]!.fail(unavailable())
    expect(await answer).to.deep.include({ outcome: 'stale', ageSeconds: 100, ttlSeconds: -40 })
    world.pass(3500)
    const tooLate = world.get().catch((error: unknown) => error)
    await turn()
    world.runs[2]!.fail(unavailable())
    expect(await tooLate).to.be.instanceOf(Problem)
  })

  it('tells the error to those who want a new run, and for errors of ours', async () => {
    const world = setUp()
    await fill(world)
    const forced = world.get({ newOnly: true }).catch((error: unknown) => error)
    await turn()
    world.runs[1]!.fail(unavailable())
    expect(await forced).to.be.instanceOf(Problem)
    world.pass(100)
    const broken = world.get().catch((error: unknown) => error)
    await turn()
    world.runs[2]!.fail(new Error('bug'))
    expect(await broken).to.be.instanceOf(Error)
  })

  it('does not keep an error', async () => {
    const world = setUp()
    const failed = world.get().catch((error: unknown) => error)
    await turn()
    world.runs[0]!.fail(unavailable())
    await failed
    expect((await fill(world)).value.name).to.equal('first')
  })

  it('aborts a run when the last who waited has left, and only then', async () => {
    const world = setUp()
    const [one, two] = [new AbortController(), new AbortController()]
    const answers = [one, two].map(({ signal }) => world.get({ signal }).catch(() => 'left'))
    await turn()
    one.abort()
    await turn()
    expect(world.runs[0]!.signal.aborted).to.equal(false)
    two.abort()
    expect(await Promise.all(answers)).to.deep.equal(['left', 'left'])
    expect(world.runs[0]!.signal.aborted).to.equal(true)
  })

  it('starts anew for whoever comes after an aborted run', async () => {
    const world = setUp()
    const gone = new AbortController()
    const left = world.get({ signal: gone.signal }).catch(() => 'left')
    await turn()
    gone.abort()
    const answer = world.get()
    await turn()
    world.runs[1]!.end(world.value('anew'))
    expect((await answer).value.name).to.equal('anew')
    expect(await left).to.equal('left')
  })

  it('answers a hit at once for a key that is kept and fresh, as a get would', async () => {
    const world = setUp()
    expect(world.cache.hit('key', world.now())).to.equal(undefined)
    const { serial } = await fill(world)
    world.pass(5)
    const hit = world.cache.hit<Value>('key', world.now())
    expect(hit).to.deep.equal(await world.get())
    expect(hit).to.deep.include({ serial, ageSeconds: 5 })
    world.pass(55)
    expect(world.cache.hit('key', world.now())).to.equal(undefined)
  })

  it('gives a value that can be used once to one, and a run of their own to the others', async () => {
    const world = setUp()
    const answers = [world.get(), world.get()]
    await turn()
    world.runs[0]!.end({ name: 'stream one' })
    await turn()
    world.runs[1]!.end({ name: 'stream two' })
    const names = (await Promise.all(answers)).map(answer => answer.value.name)
    expect(names).to.have.members(['stream one', 'stream two'])
    expect(world.cache.entryCount()).to.equal(0)
  })

  it('discards a value that can be used once when all who wanted it have left', async () => {
    const world = setUp()
    const gone = new AbortController()
    let discarded = false
    const answer = world.get({ signal: gone.signal }).catch(() => 'left')
    await turn()
    // a load that does not heed its signal in time
    world.runs[0]!.end({ name: 'stream', discard: () => (discarded = true) })
    gone.abort()
    await answer
    await turn()
    expect(discarded).to.equal(true)
  })
})
