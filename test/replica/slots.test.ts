import { setMaxListeners } from 'node:events'
import { expect } from 'chai'
import { createSlots } from '../../src/replica/slots.ts'

const never = new AbortController().signal
const make = (maxWaitMs = 1000) =>
  createSlots({ max: () => 1, maxWaitMs, onFull: () => new Error('full'), now: Date.now })

describe('createSlots', () => {
  it('gives places in the order in which they were asked for', async () => {
    const slots = make()
    const free = await slots.acquire(never)
    const order: string[] = []
    const later = ['a', 'b'].map(async name => {
      const freeIt = await slots.acquire(never)
      order.push(name)
      freeIt()
    })
    expect(slots.waiting()).to.equal(2)
    free()
    await Promise.all(later)
    expect(order).to.deep.equal(['a', 'b'])
    expect([slots.inUse(), slots.waiting()]).to.deep.equal([0, 0])
  })

  it('serves who waits where places grow with time alone, before who comes later', async () => {
    let places = 1
    const onFull = () => new Error('full')
    const slots = createSlots({ max: () => places, maxWaitMs: 5000, onFull, now: Date.now })
    await slots.acquire(never)
    const order: string[] = []
    const early = slots.acquire(never).then(() => order.push('early'))
    const late = slots.acquire(never).then(() => order.push('late'))
    places = 2
    const latest = slots.acquire(never).then(() => order.push('latest'))
    await early
    expect(slots.waiting()).to.equal(2)
    places = 4
    await Promise.all([late, latest])
    expect(order).to.deep.equal(['early', 'late', 'latest'])
  })

  it('turns away at once who comes where very many wait', async () => {
    const slots = make(5000)
    const leave = new AbortController()
    setMaxListeners(0, leave.signal)
    await slots.acquire(never)
    for (let at = 0; at < 2000; at += 1) slots.acquire(leave.signal).catch(() => {})
    expect(await slots.acquire(never).catch((error: Error) => error.message)).to.equal('full')
    leave.abort()
    expect(slots.waiting()).to.equal(0)
  })

  it('turns away whoever has waited for too long', async () => {
    const slots = make(10)
    const free = await slots.acquire(never)
    const refused = await slots.acquire(never).catch((error: Error) => error.message)
    expect(refused).to.equal('full')
    expect(slots.waiting()).to.equal(0)
    free()
    ;(await slots.acquire(never))()
  })

  it('lets go of whoever leaves the queue', async () => {
    const slots = make()
    const free = await slots.acquire(never)
    const leave = new AbortController()
    const left = slots.acquire(leave.signal).catch((error: Error) => error.message)
    leave.abort(new Error('gone'))
    expect(await left).to.equal('gone')
    free()
    expect(slots.inUse()).to.equal(0)
  })

  it('counts a place once, however often it is freed', async () => {
    const slots = make()
    const free = await slots.acquire(never)
    free()
    free()
    expect(slots.inUse()).to.equal(0)
  })
})
