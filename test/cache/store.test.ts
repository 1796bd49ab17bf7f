import { expect } from 'chai'
import { createStore } from '../../src/serve/cache/store.ts'

const OVERHEAD = 1024

/** The limit is eight entries, and two of one organization. */
function setUp() {
  const evicted: string[] = []
  const store = createStore<string>(8 * 2 * OVERHEAD, reason => evicted.push(reason))
  const put = (key: string, organizationId: string) => store.set(key, organizationId, key, OVERHEAD)
  /** The keys from a to i that are stored. */
  const storedKeys = (): string => 'abcdefghi'.replaceAll(/./g, key => store.get(key) ?? '')
  return { store, put, storedKeys, evicted }
}

describe('createStore', () => {
  it('returns stored values, and counts a replaced value once', () => {
    const { store, put, evicted } = setUp()
    for (let i = 0; i < 10; i += 1) expect(put('a', 'one')).to.equal(true)
    expect([store.get('a'), store.get('b')]).to.deep.equal(['a', undefined])
    expect([store.entryCount(), store.byteCount()]).to.deep.equal([1, 2 * OVERHEAD])
    expect(evicted).to.deep.equal([])
  })

  it('evicts the least recently used entry when it is full', () => {
    const { store, put, storedKeys, evicted } = setUp()
    for (const key of 'abcdefgh') put(key, key)
    store.get('a')
    put('i', 'i')
    expect([storedKeys(), evicted]).to.deep.equal(['acdefghi', ['space']])
  })

  it('evicts the least recently used entry of an organization that exceeds its share', () => {
    const { store, put, storedKeys, evicted } = setUp()
    put('a', 'other')
    for (const key of ['b', 'c']) put(key, 'one')
    store.get('b')
    put('d', 'one')
    expect([storedKeys(), evicted]).to.deep.equal(['abd', ['share']])
  })

  it('stores a value of the size of a share, and none that is larger', () => {
    const { store, put, storedKeys } = setUp()
    put('b', 'one')
    expect(store.set('a', 'one', 'a', 4 * OVERHEAD)).to.equal(true)
    expect(store.set('c', 'two', 'c', 4 * OVERHEAD + 1)).to.equal(false)
    expect(storedKeys()).to.equal('a')
  })

  it('evicts others of the organization when an entry grows', () => {
    const { store, put, storedKeys, evicted } = setUp()
    for (const key of ['a', 'b']) put(key, 'one')
    expect(store.grow('a', OVERHEAD)).to.equal(true)
    expect([storedKeys(), evicted, store.byteCount()]).to.deep.equal(['a', ['share'], 3 * OVERHEAD])
  })

  it('releases the share of an organization when an entry is deleted', () => {
    const { store, put, storedKeys } = setUp()
    put('a', 'one')
    put('b', 'one')
    store.delete('a')
    put('c', 'one')
    expect(storedKeys()).to.equal('bc')
  })
})
