import { expect } from 'chai'
import { createStore } from '../../src/cache/store.ts'

const OVERHEAD = 1024

function setUp(maxEntries: number) {
  const evicted: string[] = []
  const store = createStore<string>({
    maxBytes: maxEntries * 2 * OVERHEAD,
    organizationShare: 0.5,
    onEvict: reason => evicted.push(reason),
  })
  const put = (key: string, organizationId: string) => store.set(key, organizationId, key, OVERHEAD)
  return { store, put, evicted }
}

describe('createStore', () => {
  it('gives back what was put in', () => {
    const { store, put } = setUp(4)
    expect(put('a', 'one')).to.equal(true)
    expect(store.get('a')).to.equal('a')
    expect(store.get('b')).to.equal(undefined)
    expect(store.entryCount()).to.equal(1)
    expect(store.byteCount()).to.equal(2 * OVERHEAD)
  })

  it('replaces an entry without counting it twice', () => {
    const { store, put, evicted } = setUp(4)
    for (let i = 0; i < 10; i += 1) put('a', 'one')
    expect(store.byteCount()).to.equal(2 * OVERHEAD)
    expect(evicted).to.deep.equal([])
  })

  it('lets the least recently used go when it is full', () => {
    const { store, put, evicted } = setUp(4)
    for (const key of ['a', 'b', 'c', 'd']) put(key, key)
    store.get('a')
    put('e', 'e')
    expect(['a', 'b', 'c', 'd', 'e'].filter(key => store.get(key))).to.deep.equal([
      'a',
      'c',
      'd',
      'e',
    ])
    expect(evicted).to.deep.equal(['space'])
  })

  it('makes an organization that exceeds its share push out its own least recently used', () => {
    const { store, put, evicted } = setUp(4)
    put('a', 'other')
    for (const key of ['b', 'c']) put(key, 'one')
    store.get('b')
    put('d', 'one')
    expect(['a', 'b', 'c', 'd'].filter(key => store.get(key))).to.deep.equal(['a', 'b', 'd'])
    expect(evicted).to.deep.equal(['share'])
  })

  it('keeps nothing that is larger than a share', () => {
    const { store } = setUp(4)
    expect(store.set('a', 'one', 'a', 4 * OVERHEAD)).to.equal(false)
    expect(store.get('a')).to.equal(undefined)
  })

  it('gives an organization its room back when an entry is deleted', () => {
    const { store, put } = setUp(4)
    put('a', 'one')
    put('b', 'one')
    store.delete('a')
    put('c', 'one')
    expect(['b', 'c'].filter(key => store.get(key))).to.deep.equal(['b', 'c'])
  })
})
