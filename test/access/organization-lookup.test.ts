import { expect } from 'chai'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { InvalidAccessRow } from '../../src/serve/access/invalid-access-row.ts'
import {
  createOrganizationLookup,
  createResultQueue,
} from '../../src/serve/access/organization-lookup.ts'
import type { OrganizationsByKey } from '../../src/serve/access/organization-lookup.ts'
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
  resolveQuery(): void
  fail(error: Error): void
}

const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))
const names = (name: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `${name} ${from + at}`)

/**
 * A look-up whose queries the test resolves. Keys "unknown ..." are not valid; keys "invalid ..." have an invalid row.
 */
function setUp(longestMs = 40_000) {
  const queries: Query[] = []
  const revoked = new Set<string>()
  const observations: Observation[] = []
  const invalidRows: InvalidAccessRow[] = []
  const lookupService = createOrganizationLookup({
    find: (hashes, isWanted = () => true) =>
      new Promise<OrganizationsByKey>((resolve, reject) => {
        const keys = [...hashes]
        const known = keys.filter(key => !key.startsWith('unknown') && !revoked.has(key))
        const rowOf = (key: string) => (key.startsWith('invalid') ? invalidRow : organization(key))
        const resolveQuery = () => resolve(new Map(known.map(key => [key, rowOf(key)] as const)))
        queries.push({ keys, isWanted, resolveQuery, fail: reject })
      }),
    onInvalidRow: row => invalidRows.push(row),
    maxInFlight: 2,
    observe: fact => observations.push(fact),
    now: () => 0,
    longestMs,
  })
  const lookup = (key: string): Promise<Organization | undefined> =>
    new Promise((resolve, reject) => lookupService.find(key, resolve, reject))
  /** Looks up all keys and counts the outcomes. */
  function findAll(keys: readonly string[]) {
    const outcomes = { valid: 0, invalid: 0, access_unavailable: 0, other: 0 }
    for (const key of keys) {
      lookupService.find(
        key,
        found => (outcomes[found === undefined ? 'invalid' : 'valid'] += 1),
        ({ code }) => (outcomes[code === 'access_unavailable' ? code : 'other'] += 1),
      )
    }
    return outcomes
  }
  /** Resolves the queries in order, including new ones. */
  async function resolveAll(from = 0): Promise<void> {
    for (let at = from; at < queries.length; at += 1) {
      queries[at]!.resolveQuery()
      for (let turns = 0; turns < 30; turns += 1) await turn()
    }
  }
  /** Makes the key "known" recently valid; the next query has index 1. */
  async function addKnownKey() {
    findAll(['known'])
    await turn()
    await resolveAll()
  }
  const queriedKeys = () => queries.map(({ keys }) => keys)
  const context = {
    lookupService,
    lookup,
    queries,
    queriedKeys,
    findAll,
    resolveAll,
    addKnownKey,
    observations,
  }
  contexts.push(context)
  return { ...context, invalidRows, revoke: (key: string) => void revoked.add(key) }
}

const contexts: Array<{ resolveAll(): Promise<void> }> = []

describe('createOrganizationLookup', () => {
  // why: waiting keys have a timer
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.resolveAll()
  })

  it('looks up all keys of one turn in one query without duplicates, and returns undefined for an unknown key', async () => {
    const { lookup, queriedKeys, resolveAll } = setUp()
    const organizations = Promise.all(['a', 'b', 'a', 'unknown'].map(lookup))
    await turn()
    expect(queriedKeys()).to.deep.equal([['a', 'b', 'unknown']])
    await resolveAll()
    expect((await organizations).map(found => found?.id)).to.deep.equal(['a', 'b', 'a', undefined])
  })

  it('sends at most two queries at once, and never uses a query that was sent before the request', async () => {
    const { lookup, queries, queriedKeys, resolveAll } = setUp()
    const found = []
    for (const key of ['a', 'a', 'c', 'a', 'd']) {
      found.push(lookup(key))
      await turn()
    }
    expect(queriedKeys()).to.deep.equal([['a'], ['a']])
    queries[0]!.resolveQuery()
    await turn()
    expect(queriedKeys()[2]).to.deep.equal(['c', 'a', 'd'])
    await resolveAll(1)
    expect((await Promise.all(found)).map(found => found?.id)).to.have.members([
      'a',
      'a',
      'c',
      'a',
      'd',
    ])
  })

  it('turns a failed query into access_unavailable for its keys, and continues', async () => {
    const { findAll, queries, observations, resolveAll } = setUp()
    const failed = findAll(['a', 'b'])
    await turn()
    queries[0]!.fail(new Error('down'))
    await turn()
    expect(failed).to.include({ access_unavailable: 2 })
    expect(observations[0]).to.include({ kind: 'key-lookup', keyCount: 2 })
    const again = findAll(['a'])
    await turn()
    await resolveAll(1)
    expect(again).to.include({ valid: 1 })
  })

  it('rejects only the key with an invalid row', async () => {
    const { lookup, resolveAll, invalidRows } = setUp()
    const bad = lookup('invalid').catch((error: unknown) => error)
    const good = lookup('good')
    await turn()
    await resolveAll()
    expect((await good)?.id).to.equal('good')
    expect(await bad).to.be.instanceOf(Problem)
    expect(await bad).to.include({ code: 'access_unavailable', cause: invalidRow })
    expect(invalidRows).to.deep.equal([invalidRow])
  })

  it('observes an error that a callback throws, and calls the others', async () => {
    const { lookupService, findAll, resolveAll, observations } = setUp()
    const error = new Error('of one request')
    const fail = (): never => {
      throw error
    }
    lookupService.find('a', fail, fail)
    const other = findAll(['a'])
    await turn()
    await resolveAll()
    expect(other).to.include({ valid: 1 })
    expect(observations).to.deep.include({ kind: 'process-error', error })
  })

  it('looks up at most 500 keys in one query', async () => {
    const { queries, queriedKeys, findAll, resolveAll } = setUp()
    const outcomes = findAll(names('unknown', 1201))
    await turn()
    expect(queriedKeys().map(keys => keys.length)).to.deep.equal([500, 500])
    await resolveAll()
    expect(queriedKeys().map(keys => keys.length)).to.deep.equal([500, 500, 201])
    expect(new Set(queries.flatMap(({ keys }) => keys)).size).to.equal(1201)
    expect(outcomes).to.deep.equal({ valid: 0, invalid: 1201, access_unavailable: 0, other: 0 })
  })

  it('looks up a recently valid key first, in a query that starts later', async () => {
    const { queries, findAll, addKnownKey } = setUp()
    await addKnownKey()
    findAll(names('unknown', 3000))
    await turn()
    const known = findAll(['known'])
    await turn()
    expect(queries, 'no query is free').to.have.length(3)
    queries[1]!.resolveQuery()
    await turn()
    expect(queries[3]?.keys.slice(0, 2)).to.deep.equal(['known', 'unknown 1000'])
    expect(queries[3]?.keys).to.have.length(500)
    queries[3]!.resolveQuery()
    await turn()
    expect(known).to.include({ valid: 1 })
  })

  it('moves a key to the front if it turns out to be valid while it waits', async () => {
    const { queries, findAll } = setUp()
    findAll(['new', ...names('unknown', 999)])
    await turn()
    findAll(names('unknown', 1000, 1000))
    const outcomes = [findAll(['new'])]
    queries[0]!.resolveQuery()
    queries[1]!.resolveQuery()
    while (queries.length < 4) await turn()
    outcomes.push(findAll(['new']))
    const isAsked = () => queries.slice(2).some(({ keys }) => keys.includes('new'))
    expect(isAsked(), 'it waits behind 1,000 keys').to.equal(false)
    queries[2]!.resolveQuery()
    await turn()
    expect(queries[4]?.keys[0]).to.equal('new')
    queries[4]!.resolveQuery()
    while (outcomes.some(({ valid }) => valid === 0)) await turn()
  })

  for (const [why, key, isValid] of [
    ['was revoked', 'known', false],
    ['has an invalid row, which may stand for all keys', 'invalid', false],
    ['was recently valid', 'known', true],
  ] as const) {
    it(`puts a key ${isValid ? 'first' : 'last'} that ${why}`, async () => {
      const { queries, findAll, resolveAll, addKnownKey, revoke } = setUp()
      await addKnownKey()
      if (!isValid) revoke('known')
      findAll([key])
      await turn()
      await resolveAll(1)
      findAll([...names('unknown', 3), key])
      await turn()
      expect(queries[2]?.keys.indexOf(key)).to.equal(isValid ? 0 : 3)
    })
  }

  it('rejects unknown keys at once if 5,000 wait, and accepts recently valid keys', async () => {
    const { findAll, resolveAll, addKnownKey } = setUp()
    await addKnownKey()
    const inFlight = findAll(names('unknown', 1000))
    await turn()
    const waiting = findAll(names('unknown', 6000, 1000))
    expect(waiting).to.include({ access_unavailable: 1000, invalid: 0 })
    const alike = findAll(Array<string>(100).fill('unknown 1000'))
    expect(alike, 'for one key as well').to.include({ access_unavailable: 100 })
    const known = findAll(['known'])
    await resolveAll(1)
    expect(known).to.include({ valid: 1 })
    expect(inFlight).to.include({ invalid: 1000 })
    expect(waiting).to.include({ access_unavailable: 1000, invalid: 5000 })
    const later = findAll(names('unknown', 5000))
    expect(later, 'the queue accepts keys again').to.include({ access_unavailable: 0 })
  })

  it('times out waiting keys, in a query or in the queue, and does not look them up later', async () => {
    const { queries, findAll, addKnownKey } = setUp(50)
    await addKnownKey()
    const outcomes = [findAll(names('unknown', 2000))]
    await turn()
    outcomes.push(findAll([...names('unknown', 2000, 2000), 'known']))
    const total = () =>
      outcomes.reduce((sum, { access_unavailable }) => sum + access_unavailable, 0)
    while (total() < 4001) await new Promise(resolve => setTimeout(resolve, 10))
    expect(queries.slice(1).map(({ isWanted }) => isWanted())).to.deep.equal([false, false])
    queries[1]!.resolveQuery()
    queries[2]!.resolveQuery()
    await turn()
    expect(queries, 'the queue is empty').to.have.length(3)
    const next = findAll(['known'])
    await turn()
    queries[3]!.resolveQuery()
    await turn()
    expect(next).to.include({ valid: 1 })
  })
})

describe('the queue of results', () => {
  it('delivers urgent results first, then the others in order, each once', async () => {
    const delivered: string[] = []
    const queue = createResultQueue(() => undefined)
    for (let n = 0; n < 2500; n += 1) queue.add(n % 5 === 0, () => void delivered.push(`${n}`))
    while (queue.size() > 0) await new Promise(setImmediate)
    const isUrgent = (text: string): boolean => Number(text) % 5 === 0
    const all = Array.from({ length: 2500 }, (_, n) => `${n}`)
    expect(delivered).to.deep.equal([
      ...all.filter(isUrgent),
      ...all.filter(text => !isUrgent(text)),
    ])
  })

  it('releases delivered results even if it is never empty', async () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const queue = createResultQueue(() => undefined)
    const references: WeakRef<object>[] = []
    const add = (): void => {
      const request = { body: 'x' }
      references.push(new WeakRef(request))
      queue.add(false, () => void request.body)
    }
    for (let n = 0; n < 100; n += 1) add()
    while (references.length < 20_000) {
      while (queue.size() < 50) add()
      await new Promise(setImmediate)
      expect(queue.size()).to.be.greaterThan(0)
    }
    gc()
    expect(references.filter(ref => ref.deref() !== undefined).length).to.be.lessThan(1200)
  })
})
