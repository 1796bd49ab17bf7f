import { DEFAULT_PRODUCT } from '../../src/definitions/product.ts'
import { expect } from 'chai'
import { createOrganizationLookup } from '../../src/serve/access/organization-lookup.ts'
import {
  InvalidAccessRow,
  type OrganizationsByKey,
  type Reader,
} from '../../src/serve/access/access-rows.ts'
import { Problem } from '../../src/model/errors.ts'
import type { Observation } from '../../src/model/observation.ts'

const NOTHING = new Map<string, never>()
const catalog = {
  reports: NOTHING,
  metrics: NOTHING,
  whole: { reports: NOTHING, metrics: NOTHING },
  scopeId: '',
  product: DEFAULT_PRODUCT,
}
const organization = (id: string): Reader => ({
  id,
  idType: 'integer',
  timeZone: 'Europe/Moscow',
  entitled: true,
  catalog,
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
function setUp() {
  const queries: Query[] = []
  const observations: Observation[] = []
  let nowMs = 0
  const lookupService = createOrganizationLookup(
    (hashes, isWanted) =>
      new Promise<OrganizationsByKey>((resolve, reject) => {
        const keys = [...hashes]
        const known = keys.filter(key => !key.startsWith('unknown'))
        const rowOf = (key: string) => (key.startsWith('invalid') ? invalidRow : organization(key))
        const resolveQuery = () => resolve(new Map(known.map(key => [key, rowOf(key)] as const)))
        queries.push({ keys, isWanted, resolveQuery, fail: reject })
      }),
    2,
    fact => observations.push(fact),
    () => nowMs,
  )
  const lookup = (key: string): Promise<Reader | undefined> =>
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
      await turn()
    }
  }
  /** Makes the key "known" recently valid; the next query has index 1. */
  async function addKnownKey() {
    findAll(['known'])
    await turn()
    await resolveAll()
  }
  const queriedKeys = () => queries.map(({ keys }) => keys)
  const wait = (ms: number) => void (nowMs += ms)
  return { lookup, queries, queriedKeys, findAll, resolveAll, addKnownKey, observations, wait }
}

describe('createOrganizationLookup', () => {
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

  it('divides the requests that wait among two queries of 24 to 500, 16 if their keys are unknown', async () => {
    const { queries, queriedKeys, findAll, resolveAll } = setUp()
    const sizes = () => queriedKeys().map(keys => keys.length)
    const outcomes = findAll(names('unknown', 61))
    await turn()
    expect(sizes()).to.deep.equal([16, 16])
    await resolveAll()
    expect(sizes()).to.deep.equal([16, 16, 16, 13])
    expect(new Set(queries.flatMap(({ keys }) => keys)).size).to.equal(61)
    expect(outcomes).to.deep.equal({ valid: 0, invalid: 61, access_unavailable: 0, other: 0 })
    async function sizesOf(count: number): Promise<number[]> {
      const from = queries.length
      findAll(names('known', count))
      await turn()
      await resolveAll(from)
      return sizes().slice(from)
    }
    await sizesOf(1200)
    expect(await sizesOf(1200)).to.deep.equal([500, 500, 200])
    expect(await sizesOf(64)).to.deep.equal([32, 32])
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
    expect(queries[3]?.keys.slice(0, 2)).to.deep.equal(['known', 'unknown 32'])
    expect(queries[3]?.keys).to.have.length(17)
    queries[3]!.resolveQuery()
    await turn()
    expect(known).to.include({ valid: 1 })
  })

  it('rejects unknown keys at once if 5,000 wait, and accepts recently valid keys', async () => {
    const { findAll, resolveAll, addKnownKey } = setUp()
    await addKnownKey()
    const waiting = findAll(names('unknown', 6000))
    expect(waiting).to.include({ access_unavailable: 1000, invalid: 0 })
    const alike = findAll(Array<string>(100).fill('unknown 1000'))
    expect(alike, 'for one key as well').to.include({ access_unavailable: 100 })
    const known = findAll(['known'])
    await turn()
    await resolveAll(1)
    expect(known).to.include({ valid: 1 })
    expect(waiting).to.include({ access_unavailable: 1000, invalid: 5000 })
    const later = findAll(names('unknown', 5000))
    expect(later, 'the queue accepts keys again').to.include({ access_unavailable: 0 })
  })

  it('times out waiting keys after 40 s, in a query or in the queue, and does not look them up later', async () => {
    const { queries, findAll, addKnownKey, wait } = setUp()
    await addKnownKey()
    const outcomes = [findAll(names('unknown', 48))]
    await turn()
    outcomes.push(findAll([...names('unknown', 2000, 48), 'known']))
    wait(39_999)
    expect(queries.slice(1).map(({ isWanted }) => isWanted())).to.deep.equal([true, true])
    wait(1)
    expect(queries.slice(1).map(({ isWanted }) => isWanted())).to.deep.equal([false, false])
    const next = findAll(['known'])
    for (const query of queries.slice(1)) query.fail(new Error('down'))
    await turn()
    expect(outcomes.map(({ access_unavailable }) => access_unavailable)).to.deep.equal([48, 2001])
    expect(queries[3]?.keys).to.deep.equal(['known'])
    queries[3]!.resolveQuery()
    await turn()
    expect(next).to.include({ valid: 1 })
  })
})
