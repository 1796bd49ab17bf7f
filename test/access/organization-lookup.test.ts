import { expect } from 'chai'
import { InvalidAccessRow } from '../../src/access/invalid-access-row.ts'
import { createOrganizationLookup } from '../../src/access/organization-lookup.ts'
import type { FindOrganizations, OrganizationLookup } from '../../src/access/organization-lookup.ts'
import { Problem } from '../../src/errors.ts'
import type { Observation } from '../../src/observation.ts'
import type { Organization } from '../../src/terms.ts'

const hash = (key: string) => key
const organization = (id: string): Organization => ({
  id,
  idType: 'integer',
  timeZone: 'Europe/Moscow',
  entitled: true,
})

/** A database whose queries end when told to. */
function createDatabase() {
  const queries: Array<{ keys: string[]; answer: () => void; fail: (error: Error) => void }> = []
  const revoked = new Set<string>()
  const areWanted: Array<() => boolean> = []
  const find: FindOrganizations = (hashes, isWanted = () => true) =>
    new Promise<Map<string, Organization>>((resolve, reject) => {
      const known = hashes.filter(key => !key.startsWith('unknown') && !revoked.has(key))
      areWanted.push(isWanted)
      queries.push({
        keys: [...hashes],
        answer: () => resolve(new Map(known.map(key => [key, organization(key)]))),
        fail: reject,
      })
    })
  return {
    queries,
    find,
    revoke: (key: string) => void revoked.add(key),
    /** Of the queries after the first. */
    wanted: () => areWanted.slice(1).map(isWanted => isWanted()),
  }
}

const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

function setUp(longestMs?: number) {
  const database = createDatabase()
  const observations: Observation[] = []
  const lookup = createOrganizationLookup({
    find: database.find,
    onInvalidRow: () => {},
    maxInFlight: 2,
    observe: fact => observations.push(fact),
    now: () => 0,
    ...(longestMs === undefined ? {} : { longestMs }),
  })
  return { ...database, lookup, observations }
}

describe('createOrganizationLookup', () => {
  it('asks for all keys of one turn in one query, each once', async () => {
    const { queries, lookup } = setUp()
    const answers = Promise.all([lookup(hash('a')), lookup(hash('b')), lookup(hash('a'))])
    await turn()
    expect(queries.map(({ keys }) => keys)).to.deep.equal([['a', 'b']])
    queries[0]!.answer()
    expect((await answers).map(found => found?.id)).to.deep.equal(['a', 'b', 'a'])
  })

  it('answers undefined for a key that is not valid', async () => {
    const { queries, lookup } = setUp()
    const answer = lookup(hash('unknown'))
    await turn()
    queries[0]!.answer()
    expect(await answer).to.equal(undefined)
  })

  it('keeps two queries in flight and gathers what arrives meanwhile for the next', async () => {
    const { queries, lookup } = setUp()
    const answers = []
    for (const key of ['a', 'b', 'c', 'd']) {
      answers.push(lookup(hash(key)))
      await turn()
    }
    expect(queries.map(({ keys }) => keys)).to.deep.equal([['a'], ['b']])
    queries[0]!.answer()
    await turn()
    expect(queries[2]?.keys).to.deep.equal(['c', 'd'])
    queries[1]!.answer()
    queries[2]!.answer()
    expect((await Promise.all(answers)).map(found => found?.id)).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('never answers from a query that was sent before the request arrived', async () => {
    const { queries, lookup } = setUp()
    const first = lookup(hash('a'))
    await turn()
    const second = lookup(hash('a'))
    await turn()
    expect(queries).to.have.length(2)
    queries[0]!.answer()
    queries[1]!.answer()
    await Promise.all([first, second])
    const third = lookup(hash('a'))
    await turn()
    expect(queries).to.have.length(3)
    queries[2]!.answer()
    await third
  })

  it('turns a failed query into access_unavailable for all who waited, and goes on', async () => {
    const { queries, lookup, observations } = setUp()
    const answers = Promise.allSettled([lookup(hash('a')), lookup(hash('b'))])
    await turn()
    queries[0]!.fail(new Error('down'))
    for (const answer of await answers) {
      expect(answer.status === 'rejected' && answer.reason).to.be.instanceOf(Problem)
      expect(answer.status === 'rejected' && answer.reason.code).to.equal('access_unavailable')
    }
    expect(observations[0]).to.include({ kind: 'key-lookup', keyCount: 2 })
    const again = lookup(hash('a'))
    await turn()
    queries[1]!.answer()
    expect((await again)?.id).to.equal('a')
  })

  it('lets nobody wait for long, neither in a query nor for one, and goes on with the next', async () => {
    const { lookup, queries } = setUp(30)
    const ends: string[] = []
    const ask = async (key: string): Promise<void> => {
      const problem = await lookup(hash(key)).catch((error: unknown) => error)
      ends.push(problem instanceof Problem ? `${key} ${problem.code}` : key)
    }
    const asked: Array<Promise<void>> = []
    for (const key of ['a', 'b', 'c']) {
      asked.push(ask(key))
      await turn()
    }
    expect(queries.map(({ keys }) => keys)).to.deep.equal([['a'], ['b']])
    await Promise.all(asked)
    expect(ends.toSorted()).to.deep.equal(['a', 'b', 'c'].map(key => `${key} access_unavailable`))
    queries[0]?.answer()
    await turn()
    expect(queries, 'nobody waits any more').to.have.length(2)
    const next = ask('d')
    await turn()
    queries[2]?.answer()
    await next
    expect(ends.at(-1)).to.equal('d')
  })

  it('refuses a key whose row is not valid, and no other of the batch', async () => {
    const row = new InvalidAccessRow('access.sql', '7', 'time_zone is null')
    const invalidRows: InvalidAccessRow[] = []
    const lookup = createOrganizationLookup({
      find: async () =>
        new Map<string, Organization | InvalidAccessRow>([
          ['good', organization('good')],
          ['bad', row],
        ]),
      onInvalidRow: row => invalidRows.push(row),
      maxInFlight: 1,
      observe: () => {},
      now: () => 0,
    })
    const bad = lookup(hash('bad')).catch((error: unknown) => error)
    const [good, problem] = [await lookup(hash('good')), await bad]
    expect(good?.id).to.equal('good')
    expect(problem)
      .to.be.instanceOf(Problem)
      .and.include({ code: 'access_unavailable', cause: row })
    expect(invalidRows).to.deep.equal([row])
  })

  describe('with many keys', () => {
    const strangers = (count: number, from = 0): string[] =>
      Array.from({ length: count }, (_, at) => hash(`unknown ${from + at}`))

    /** Asks for each, and counts how they end. */
    function askAll(lookup: OrganizationLookup, keys: readonly string[]) {
      const ends = { valid: 0, invalid: 0, access_unavailable: 0, other: 0 }
      for (const key of keys) {
        lookup.tell(
          key,
          found => (ends[found === undefined ? 'invalid' : 'valid'] += 1),
          ({ code }) => (ends[code === 'access_unavailable' ? code : 'other'] += 1),
        )
      }
      return ends
    }

    /** Answers all queries until there are none. */
    async function answerAll(queries: ReturnType<typeof createDatabase>['queries']): Promise<void> {
      for (let answered = 0; answered < queries.length;) {
        queries[answered]!.answer()
        answered += 1
        for (let turns = 0; turns < 60; turns += 1) await turn()
      }
    }

    async function setUpWithRegular(longestMs?: number) {
      const world = setUp(longestMs)
      const first = world.lookup(hash('regular'))
      await turn()
      world.queries[0]!.answer()
      await first
      return world
    }

    it('asks for 500 at most in one query', async () => {
      const { queries, lookup } = setUp()
      const ends = askAll(lookup, strangers(1201))
      await turn()
      expect(queries.map(({ keys }) => keys.length)).to.deep.equal([500, 500])
      await answerAll(queries)
      expect(queries.map(({ keys }) => keys.length)).to.deep.equal([500, 500, 201])
      expect(new Set(queries.flatMap(({ keys }) => keys)).size).to.equal(1201)
      expect(ends).to.deep.equal({ valid: 0, invalid: 1201, access_unavailable: 0, other: 0 })
    })

    it('asks for a key that was valid lately before all others, in a query that starts later', async () => {
      const { queries, lookup } = await setUpWithRegular()
      askAll(lookup, strangers(3000))
      await turn()
      const regular = lookup(hash('regular'))
      await turn()
      expect(queries, 'no query is free').to.have.length(3)
      queries[1]!.answer()
      await turn()
      expect(queries[3]?.keys.slice(0, 2)).to.deep.equal(['regular', 'unknown 1000'])
      expect(queries[3]?.keys).to.have.length(500)
      queries[3]!.answer()
      expect((await regular)?.id).to.equal('regular')
    })

    it('moves a key to the front that turns out to be valid while it waits', async () => {
      const { queries, lookup } = setUp()
      askAll(lookup, [hash('new'), ...strangers(999)])
      await turn()
      askAll(lookup, strangers(1000, 1000))
      const again = [lookup(hash('new'))]
      queries[0]!.answer()
      queries[1]!.answer()
      while (queries.length < 4) await turn()
      again.push(lookup(hash('new')))
      const isAsked = () => queries.slice(2).some(({ keys }) => keys.includes('new'))
      expect(isAsked(), 'it waits behind 1,000').to.equal(false)
      queries[2]!.answer()
      await turn()
      expect(queries[4]?.keys[0]).to.equal('new')
      queries[4]!.answer()
      expect((await Promise.all(again)).map(found => found?.id)).to.deep.equal(['new', 'new'])
    })

    it('has no key go first that was revoked', async () => {
      const { queries, lookup, revoke } = await setUpWithRegular()
      revoke('regular')
      const revoked = lookup(hash('regular'))
      await turn()
      queries[1]!.answer()
      expect(await revoked).to.equal(undefined)
      askAll(lookup, [...strangers(3), hash('regular')])
      await turn()
      expect(queries[2]?.keys.at(-1)).to.equal('regular')
    })

    it('has no key go first for a row that is not valid, as one without a hash is for all', async () => {
      const asked: string[][] = []
      const row = new InvalidAccessRow('access.sql', '7', 'key_hash is null')
      const lookup = createOrganizationLookup({
        async find(hashes) {
          asked.push([...hashes])
          return new Map(
            hashes.map(key => [key, key === 'regular' ? organization(key) : row] as const),
          )
        },
        onInvalidRow: () => {},
        maxInFlight: 1,
        observe: () => {},
        now: () => 0,
      })
      const keys = [...strangers(3), hash('regular')]
      for (const _time of [1, 2]) {
        const ends = askAll(lookup, keys)
        while (ends.valid + ends.access_unavailable < 4) await turn()
        expect(ends).to.include({ valid: 1, access_unavailable: 3 })
      }
      expect(asked).to.deep.equal([keys, ['regular', ...strangers(3)]])
    })

    it('rejects strangers at once where 5,000 wait, and takes keys that were valid lately', async () => {
      const { queries, lookup } = await setUpWithRegular()
      const inFlight = askAll(lookup, strangers(1000))
      await turn()
      const waiting = askAll(lookup, strangers(6000, 1000))
      expect(waiting).to.include({ access_unavailable: 1000, invalid: 0 })
      const alike = askAll(
        lookup,
        Array.from({ length: 100 }, () => hash('unknown 1000')),
      )
      expect(alike, 'of one key, too').to.include({ access_unavailable: 100 })
      const regular = lookup(hash('regular'))
      await answerAll(queries)
      expect((await regular)?.id).to.equal('regular')
      expect(inFlight).to.include({ invalid: 1000 })
      expect(waiting).to.include({ access_unavailable: 1000, invalid: 5000 })
      const later = askAll(lookup, strangers(5000))
      expect(later, 'there is room again').to.include({ access_unavailable: 0 })
    })

    it('lets none wait for long, in a query or for one, and asks for none of them later', async () => {
      const { queries, lookup, wanted } = await setUpWithRegular(50)
      const ends = [askAll(lookup, strangers(2000))]
      await turn()
      ends.push(askAll(lookup, [...strangers(2000, 2000), hash('regular')]))
      const total = () => ends.reduce((sum, { access_unavailable }) => sum + access_unavailable, 0)
      while (total() < 4001) await new Promise(resolve => setTimeout(resolve, 10))
      expect(wanted()).to.deep.equal([false, false])
      queries[1]!.answer()
      queries[2]!.answer()
      await turn()
      expect(queries, 'none waits any more').to.have.length(3)
      const next = lookup(hash('regular'))
      await turn()
      queries[3]!.answer()
      expect((await next)?.id).to.equal('regular')
    })
  })
})
