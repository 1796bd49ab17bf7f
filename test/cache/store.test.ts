import { expect } from 'chai'
import { createStore } from '../../src/serve/cache/store.ts'

const OVERHEAD = 1024

/** Has room for four entries, and for two of one organization. */
function setUp() {
  const evicted: string[] = []
  const store = createStore<string>({
    maxBytes: 4 * 2 * OVERHEAD,
    organizationShare: 0.5,
    onEvict: reason => evicted.push(reason),
  })
  const put = (key: string, organizationId: string) => store.set(key, organizationId, key, OVERHEAD)
  /** Those of "abcde" that it holds. */
  const held = (): string => 'abcde'.replaceAll(/./g, key => store.peek(key) ?? '')
  return { store, put, held, evicted }
}

describe('createStore', () => {
  it('gives back what was put in, and counts it once', () => {
    const { store, put, evicted } = setUp()
    for (let i = 0; i < 10; i += 1) expect(put('a', 'one')).to.equal(true)
    expect([store.get('a'), store.get('b')]).to.deep.equal(['a', undefined])
    expect([store.entryCount(), store.byteCount()]).to.deep.equal([1, 2 * OVERHEAD])
    expect(evicted).to.deep.equal([])
  })

  it('lets the least recently used go when it is full', () => {
    const { store, put, held, evicted } = setUp()
    for (const key of ['a', 'b', 'c', 'd']) put(key, key)
    store.get('a')
    put('e', 'e')
    expect([held(), evicted]).to.deep.equal(['acde', ['space']])
  })

  it('makes an organization that exceeds its share push out its own least recently used', () => {
    const { store, put, held, evicted } = setUp()
    put('a', 'other')
    for (const key of ['b', 'c']) put(key, 'one')
    store.get('b')
    put('d', 'one')
    expect([held(), evicted]).to.deep.equal(['abd', ['share']])
  })

  it('keeps nothing that is larger than a share', () => {
    const { store, held } = setUp()
    expect(store.set('a', 'one', 'a', 4 * OVERHEAD)).to.equal(false)
    expect(held()).to.equal('')
  })

  it('gives an organization its room back when an entry is deleted', () => {
    const { store, put, held } = setUp()
    put('a', 'one')
    put('b', 'one')
    store.delete('a')
    put('c', 'one')
    expect(held()).to.equal('bc')
  })
})
