import { expect } from 'chai'
import { InvalidAccessRow } from '../../src/serve/access/invalid-access-row.ts'
import { createOrganizationLookup } from '../../src/serve/access/organization-lookup.ts'
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
  const observations: Observation[] = []
  const invalidRows: InvalidAccessRow[] = []
  const lookupService = createOrganizationLookup({
    find: (hashes, isWanted = () => true) =>
      new Promise<OrganizationsByKey>((resolve, reject) => {
        const keys = [...hashes]
        const known = keys.filter(key => !key.startsWith('unknown'))
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
    new Promise((resolve, reject) =>
      lookupService.find(key, found => (found instanceof Problem ? reject(found) : resolve(found))),
    )
  /** Looks up all keys and counts the outcomes. */
  function findAll(keys: readonly string[]) {
    const outcomes = { valid: 0, invalid: 0, access_unavailable: 0, other: 0 }
    for (const key of keys) {
      lookupService.find(key, found => {
        if (found === undefined) outcomes.invalid += 1
        else if (!(found instanceof Problem)) outcomes.valid += 1
        else outcomes[found.code === 'access_unavailable' ? found.code : 'other'] += 1
      })
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
    lookup,
    queries,
    queriedKeys,
    findAll,
    resolveAll,
    addKnownKey,
    observations,
  }
  contexts.push(context)
  return { ...context, invalidRows }
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
