import { expect } from 'chai'
import type { Loaded } from '../../src/cache/answers.ts'
import { createReportCache } from '../../src/cache/report-cache.ts'
import { Problem } from '../../src/errors.ts'

interface Value extends Loaded {
  readonly name: string
}

const value = (name: string, dataAsOf?: string): Value => ({ name, byteCount: 10, dataAsOf })

function setUp() {
  let nowMs = 1_000_000
  let runCount = 0
  let failure: Error | undefined
  const cache = createReportCache({
    maxBytes: 1 << 20,
    observe: () => undefined,
    now: () => nowMs,
    random: () => 0,
  })
  const { signal } = new AbortController()
  const common = { organizationId: 'one', freshSeconds: 60, staleSeconds: 3600, signal }
  const run = async (name: string) => {
    if (failure) throw failure
    return value(`${name} of run ${(runCount += 1)}`)
  }
  const json = (newOnly = false) =>
    cache.get({ ...common, key: 'json', newOnly, load: () => run('json') })
  const csv = (newOnly = false) =>
    cache.get<Value>({
      ...common,
      key: 'csv',
      newOnly,
      load: async (_signal, keepBeside) => {
        const made = await run('csv')
        keepBeside('json', value(`json of run ${runCount}`))
        return made
      },
      source: { key: 'json', make: async from => value(`csv of ${(from as Value).name}`) },
    })
  const gzip = async () =>
    cache.derive(
      { key: 'csv', answer: await csv() },
      { ...common, key: 'csv gzip', make: async from => value(`gzip of ${from.name}`) },
    )
  return {
    cache,
    json,
    csv,
    gzip,
    now: () => nowMs,
    runCount: () => runCount,
    fail: () => (failure = new Problem('replica_unavailable', { ru: '', en: '' })),
    pass: (seconds: number) => (nowMs += seconds * 1000),
  }
}

describe('an answer that is made of another', () => {
  it('costs no run, has the age of what it is made of, and is made once', async () => {
    const world = setUp()
    await world.json()
    world.pass(10)
    const first = await world.csv()
    expect(first).to.deep.include({ outcome: 'hit', ageSeconds: 10, ttlSeconds: 50 })
    expect(first.value.name).to.equal('csv of json of run 1')
    const again = await world.csv()
    expect(again.value).to.equal(first.value)
    expect(world.cache.hit('csv', world.now())?.value).to.equal(first.value)
    expect(world.runCount()).to.equal(1)
  })

  it('is made once for all who ask meanwhile', async () => {
    const world = setUp()
    await world.json()
    const [one, other] = await Promise.all([world.csv(), world.csv()])
    expect(one.value).to.equal(other.value)
  })

  it('leaves what it could have been made of, where its own run made both', async () => {
    const world = setUp()
    expect((await world.csv()).outcome).to.equal('miss')
    const kept = await world.json()
    expect(kept).to.deep.include({ outcome: 'hit', stored: false })
    expect(kept.value.name).to.equal('json of run 1')
    expect(world.runCount()).to.equal(1)
  })

  it('goes with what it is made of, however long the way there', async () => {
    const world = setUp()
    await world.json()
    expect((await world.gzip()).value.name).to.equal('gzip of csv of json of run 1')
    await world.json(true)
    expect(world.cache.hit('csv gzip', world.now())).to.equal(undefined)
    expect((await world.gzip()).value.name).to.equal('gzip of csv of json of run 2')
    expect(world.runCount()).to.equal(2)
  })

  it('is as fresh and as stale as that, and is made of a stale one where no run can be had', async () => {
    const world = setUp()
    await world.json()
    world.pass(61)
    world.fail()
    const stale = await world.csv()
    expect(stale).to.deep.include({ outcome: 'stale', ageSeconds: 61, ttlSeconds: -1 })
    expect(stale.value.name).to.equal('csv of json of run 1')
    world.pass(3600)
    const late = await world.csv().catch((error: unknown) => error)
    expect(late).to.be.instanceOf(Problem)
  })

  it('is not made of what is kept for who asks for a new run', async () => {
    const world = setUp()
    await world.json()
    expect((await world.csv(true)).value.name).to.equal('csv of run 2')
    expect((await world.json()).value.name).to.equal('json of run 2')
  })

  it('is not kept where it would show older rows than what is kept beside it', async () => {
    const world = setUp()
    const keep = (key: string, dataAsOf: string, beside?: Value) =>
      world.cache.get<Value>({
        key,
        organizationId: 'one',
        freshSeconds: 60,
        staleSeconds: 3600,
        newOnly: false,
        signal: new AbortController().signal,
        load: async (_signal, keepBeside) => {
          if (beside) keepBeside('json', beside)
          return value(`${key} of ${dataAsOf}`, dataAsOf)
        },
      })
    await keep('json', '10:05')
    world.pass(61)
    await keep('csv', '10:03', value('json of 10:03', '10:03'))
    expect(world.cache.hit('csv', world.now())).to.equal(undefined)
    expect(world.cache.hit<Value>('json', world.now())?.value.name).to.equal('json of 10:05')
  })

  it('is made for one alone where what it is made of is not kept', async () => {
    const world = setUp()
    const { signal } = new AbortController()
    const loose = { ...(await world.json()), serial: undefined }
    const derive = () =>
      world.cache.derive(
        { key: 'json', answer: loose },
        { key: 'json gzip', organizationId: 'one', signal, make: async () => value('gzip') },
      )
    expect((await derive()).serial).to.equal(undefined)
    expect(world.cache.hit('json gzip', world.now())).to.equal(undefined)
  })
})
