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

  it('makes others wait, but not behind those that were aborted or need no session any more', async () => {
    const startedAt = performance.now()
    const limit = createReconnectLimit()
    for (let time = 0; time < 2; time++) limit.destroyed()
    await limit.admit(signal, needed)
    const aborted = AbortSignal.abort(new Error('aborted'))
    for (let time = 0; time < 50; time++) {
      const error: unknown = await limit.admit(aborted, needed).catch((error: unknown) => error)
      expect(error).to.include({ message: 'aborted' })
    }
    await limit.admit(signal, () => false)
    expect(performance.now() - startedAt).to.be.lessThan(490)
    await limit.admit(signal, needed)
    expect(performance.now() - startedAt).to.be.within(490, 20_000)
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
