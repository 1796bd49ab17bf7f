import { expect } from 'chai'
import { createReconnectLimit } from '../../src/replica/reconnect-limit.ts'

describe('createReconnectLimit', () => {
  const { signal } = new AbortController()
  const needed = (): boolean => true

  it('lets a pool grow at once, and replaces one destroyed session at once', async () => {
    const limit = createReconnectLimit(() => 0)
    for (let time = 0; time < 20; time++) await limit.admit(signal, needed)
    limit.destroyed()
    await limit.admit(signal, needed)
    await limit.admit(signal, needed)
  })

  it('makes others wait, who leave when their signal aborts, and those behind them are no later', async () => {
    const startedAt = performance.now()
    const limit = createReconnectLimit()
    for (let time = 0; time < 3; time++) limit.destroyed()
    await limit.admit(signal, needed)
    const left = Array.from({ length: 50 }, () => {
      const abort = new AbortController()
      const admitted = limit.admit(abort.signal, needed).catch((error: unknown) => error)
      abort.abort(new Error('left'))
      return admitted
    })
    for (const error of await Promise.all(left)) expect(error).to.include({ message: 'left' })
    await limit.admit(signal, needed)
    await limit.admit(signal, needed)
    const elapsedMs = performance.now() - startedAt
    expect(elapsedMs).to.be.within(990, 20_000)
  })

  it('lets on at once who needs no new session any more', async () => {
    const limit = createReconnectLimit(() => 0)
    limit.destroyed()
    limit.destroyed()
    await limit.admit(signal, needed)
    await limit.admit(signal, () => false)
  })

  it('forgets a session that was not replaced for ten seconds', async () => {
    let now = 0
    const limit = createReconnectLimit(() => now)
    for (let time = 0; time < 9; time++) limit.destroyed()
    await limit.admit(signal, needed)
    now = 10_000
    for (let time = 0; time < 9; time++) await limit.admit(signal, needed)
  })
})
