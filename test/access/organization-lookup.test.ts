import { expect } from 'chai'
import { InvalidAccessRow } from '../../src/access/invalid-access-row.ts'
import { createOrganizationLookup } from '../../src/access/organization-lookup.ts'
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
  const find = (hashes: readonly string[]) =>
    new Promise<Map<string, Organization>>((resolve, reject) => {
      const known = hashes.filter(key => !key.startsWith('unknown'))
      queries.push({
        keys: [...hashes],
        answer: () => resolve(new Map(known.map(key => [key, organization(key)]))),
        fail: reject,
      })
    })
  return { queries, find }
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
})
