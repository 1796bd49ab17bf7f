import { expect } from 'chai'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { InvalidAccessRow } from '../../src/serve/access/invalid-access-row.ts'
import {
  createOrganizationLookup,
  createResultQueue,
} from '../../src/serve/access/organization-lookup.ts'
import type { FoundByKey } from '../../src/serve/access/organization-lookup.ts'
import { Problem } from '../../src/model/errors.ts'
import type { Observation } from '../../src/model/observation.ts'
import type { Organization } from '../../src/model/terms.ts'

const organization = (id: string) => ({
  id,
  idType: 'integer',
  timeZone: 'Europe/Moscow',
  entitled: true,
})
const invalidRow = new InvalidAccessRow('access.sql', '7', 'time_zone is null')

interface Query {
  readonly keys: readonly string[]
  readonly isWanted: () => boolean
  answer(): void
  fail(error: Error): void
}

const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))
const names = (name: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `${name} ${from + at}`)

/**
 * A look-up at a database whose queries end when they are told to. Keys "unknown ..." are not valid, rows of keys
 * "invalid ..." are not.
 */
function setUp(longestMs = 40_000) {
  const queries: Query[] = []
  const revoked = new Set<string>()
  const observations: Observation[] = []
  const invalidRows: InvalidAccessRow[] = []
  const lookUp = createOrganizationLookup({
    find: (hashes, isWanted = () => true) =>
      new Promise<FoundByKey>((resolve, reject) => {
        const keys = [...hashes]
        const known = keys.filter(key => !key.startsWith('unknown') && !revoked.has(key))
        const rowOf = (key: string) => (key.startsWith('invalid') ? invalidRow : organization(key))
        const answer = () => resolve(new Map(known.map(key => [key, rowOf(key)] as const)))
        queries.push({ keys, isWanted, answer, fail: reject })
      }),
    onInvalidRow: row => invalidRows.push(row),
    maxInFlight: 2,
    observe: fact => observations.push(fact),
    now: () => 0,
    longestMs,
  })
  const lookup = (key: string): Promise<Organization | undefined> =>
    new Promise((resolve, reject) => lookUp.tell(key, resolve, reject))
  /** Asks for each, and counts how they end. */
  function askAll(keys: readonly string[]) {
    const ends = { valid: 0, invalid: 0, access_unavailable: 0, other: 0 }
    for (const key of keys) {
      lookUp.tell(
        key,
        found => (ends[found === undefined ? 'invalid' : 'valid'] += 1),
        ({ code }) => (ends[code === 'access_unavailable' ? code : 'other'] += 1),
      )
    }
    return ends
  }
  /** Answers one after the other, until all queries are. */
  async function answerAll(from = 0): Promise<void> {
    for (let at = from; at < queries.length; at += 1) {
      queries[at]!.answer()
      for (let turns = 0; turns < 30; turns += 1) await turn()
    }
  }
  /** Has a key that was valid lately; the next query is that at 1. */
  async function withRegular() {
    askAll(['regular'])
    await turn()
    await answerAll()
  }
  const asked = () => queries.map(({ keys }) => keys)
  const world = { lookUp, lookup, queries, asked, askAll, answerAll, withRegular, observations }
  worlds.push(world)
  return { ...world, invalidRows, revoke: (key: string) => void revoked.add(key) }
}

const worlds: Array<{ answerAll(): Promise<void> }> = []

describe('createOrganizationLookup', () => {
  // why: what waits has a timer
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.answerAll()
  })

  it('asks for all keys of one turn in one query, each once, and answers undefined for an unknown one', async () => {
    const { lookup, asked, answerAll } = setUp()
    const answers = Promise.all(['a', 'b', 'a', 'unknown'].map(lookup))
    await turn()
    expect(asked()).to.deep.equal([['a', 'b', 'unknown']])
    await answerAll()
    expect((await answers).map(found => found?.id)).to.deep.equal(['a', 'b', 'a', undefined])
  })

  it('keeps two queries in flight, and never answers from one that was sent before the request', async () => {
    const { lookup, queries, asked, answerAll } = setUp()
    const answers = []
    for (const key of ['a', 'a', 'c', 'a', 'd']) {
      answers.push(lookup(key))
      await turn()
    }
    expect(asked()).to.deep.equal([['a'], ['a']])
    queries[0]!.answer()
    await turn()
    expect(asked()[2]).to.deep.equal(['c', 'a', 'd'])
    await answerAll(1)
    expect((await Promise.all(answers)).map(found => found?.id)).to.have.members([
      'a',
      'a',
      'c',
      'a',
      'd',
    ])
  })

  it('turns a failed query into access_unavailable for all who waited, and goes on', async () => {
    const { askAll, queries, observations, answerAll } = setUp()
    const failed = askAll(['a', 'b'])
    await turn()
    queries[0]!.fail(new Error('down'))
    await turn()
    expect(failed).to.include({ access_unavailable: 2 })
    expect(observations[0]).to.include({ kind: 'key-lookup', keyCount: 2 })
    const again = askAll(['a'])
    await turn()
    await answerAll(1)
    expect(again).to.include({ valid: 1 })
  })

  it('refuses a key whose row is not valid, and no other of the batch', async () => {
    const { lookup, answerAll, invalidRows } = setUp()
    const bad = lookup('invalid').catch((error: unknown) => error)
    const good = lookup('good')
    await turn()
    await answerAll()
    expect((await good)?.id).to.equal('good')
    expect(await bad).to.be.instanceOf(Problem)
    expect(await bad).to.include({ code: 'access_unavailable', cause: invalidRow })
    expect(invalidRows).to.deep.equal([invalidRow])
  })

  it('observes an error that a callback throws, which concerns no other', async () => {
    const { lookUp, askAll, answerAll, observations } = setUp()
    const error = new Error('of one request')
    const fail = (): never => {
      throw error
    }
    lookUp.tell('a', fail, fail)
    const other = askAll(['a'])
    await turn()
    await answerAll()
    expect(other).to.include({ valid: 1 })
    expect(observations).to.deep.include({ kind: 'process-error', error })
  })

  it('asks for 500 at most in one query', async () => {
    const { queries, asked, askAll, answerAll } = setUp()
    const ends = askAll(names('unknown', 1201))
    await turn()
    expect(asked().map(keys => keys.length)).to.deep.equal([500, 500])
    await answerAll()
    expect(asked().map(keys => keys.length)).to.deep.equal([500, 500, 201])
    expect(new Set(queries.flatMap(({ keys }) => keys)).size).to.equal(1201)
    expect(ends).to.deep.equal({ valid: 0, invalid: 1201, access_unavailable: 0, other: 0 })
  })

  it('asks for a key that was valid lately before all others, in a query that starts later', async () => {
    const { queries, askAll, withRegular } = setUp()
    await withRegular()
    askAll(names('unknown', 3000))
    await turn()
    const regular = askAll(['regular'])
    await turn()
    expect(queries, 'no query is free').to.have.length(3)
    queries[1]!.answer()
    await turn()
    expect(queries[3]?.keys.slice(0, 2)).to.deep.equal(['regular', 'unknown 1000'])
    expect(queries[3]?.keys).to.have.length(500)
    queries[3]!.answer()
    await turn()
    expect(regular).to.include({ valid: 1 })
  })

  it('moves a key to the front that turns out to be valid while it waits', async () => {
    const { queries, askAll } = setUp()
    askAll(['new', ...names('unknown', 999)])
    await turn()
    askAll(names('unknown', 1000, 1000))
    const ends = [askAll(['new'])]
    queries[0]!.answer()
    queries[1]!.answer()
    while (queries.length < 4) await turn()
    ends.push(askAll(['new']))
    const isAsked = () => queries.slice(2).some(({ keys }) => keys.includes('new'))
    expect(isAsked(), 'it waits behind 1,000').to.equal(false)
    queries[2]!.answer()
    await turn()
    expect(queries[4]?.keys[0]).to.equal('new')
    queries[4]!.answer()
    while (ends.some(({ valid }) => valid === 0)) await turn()
  })

  for (const [why, key, isValid] of [
    ['was revoked', 'regular', false],
    ['has a row that is not valid, as one without a hash is for all', 'invalid', false],
    ['was valid lately', 'regular', true],
  ] as const) {
    it(`has a key go ${isValid ? 'first' : 'last'} that ${why}`, async () => {
      const { queries, askAll, answerAll, withRegular, revoke } = setUp()
      await withRegular()
      if (!isValid) revoke('regular')
      askAll([key])
      await turn()
      await answerAll(1)
      askAll([...names('unknown', 3), key])
      await turn()
      expect(queries[2]?.keys.indexOf(key)).to.equal(isValid ? 0 : 3)
    })
  }

  it('rejects strangers at once where 5,000 wait, and takes keys that were valid lately', async () => {
    const { askAll, answerAll, withRegular } = setUp()
    await withRegular()
    const inFlight = askAll(names('unknown', 1000))
    await turn()
    const waiting = askAll(names('unknown', 6000, 1000))
    expect(waiting).to.include({ access_unavailable: 1000, invalid: 0 })
    const alike = askAll(Array<string>(100).fill('unknown 1000'))
    expect(alike, 'of one key, too').to.include({ access_unavailable: 100 })
    const regular = askAll(['regular'])
    await answerAll(1)
    expect(regular).to.include({ valid: 1 })
    expect(inFlight).to.include({ invalid: 1000 })
    expect(waiting).to.include({ access_unavailable: 1000, invalid: 5000 })
    const later = askAll(names('unknown', 5000))
    expect(later, 'there is room again').to.include({ access_unavailable: 0 })
  })

  it('lets none wait for long, in a query or for one, and asks for none of them later', async () => {
    const { queries, askAll, withRegular } = setUp(50)
    await withRegular()
    const ends = [askAll(names('unknown', 2000))]
    await turn()
    ends.push(askAll([...names('unknown', 2000, 2000), 'regular']))
    const total = () => ends.reduce((sum, { access_unavailable }) => sum + access_unavailable, 0)
    while (total() < 4001) await new Promise(resolve => setTimeout(resolve, 10))
    expect(queries.slice(1).map(({ isWanted }) => isWanted())).to.deep.equal([false, false])
    queries[1]!.answer()
    queries[2]!.answer()
    await turn()
    expect(queries, 'none waits any more').to.have.length(3)
    const next = askAll(['regular'])
    await turn()
    queries[3]!.answer()
    await turn()
    expect(next).to.include({ valid: 1 })
  })
})

describe('the queue of results', () => {
  it('gives urgent ones first, the others in order, all of them once', async () => {
    const given: string[] = []
    const queue = createResultQueue(() => undefined)
    for (let n = 0; n < 2500; n += 1) queue.add(n % 5 === 0, () => void given.push(`${n}`))
    while (queue.size() > 0) await new Promise(setImmediate)
    const isUrgent = (text: string): boolean => Number(text) % 5 === 0
    const all = Array.from({ length: 2500 }, (_, n) => `${n}`)
    expect(given).to.deep.equal([...all.filter(isUrgent), ...all.filter(text => !isUrgent(text))])
  })

  it('holds nothing that it has given, though it is never empty', async () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const queue = createResultQueue(() => undefined)
    const held: WeakRef<object>[] = []
    const add = (): void => {
      const request = { body: 'x' }
      held.push(new WeakRef(request))
      queue.add(false, () => void request.body)
    }
    for (let n = 0; n < 100; n += 1) add()
    while (held.length < 20_000) {
      while (queue.size() < 50) add()
      await new Promise(setImmediate)
      expect(queue.size()).to.be.greaterThan(0)
    }
    gc()
    expect(held.filter(ref => ref.deref() !== undefined).length).to.be.lessThan(1200)
  })
})
