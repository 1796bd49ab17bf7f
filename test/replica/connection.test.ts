import { createReconnectLimit } from '../../src/serve/replica/connection.ts'

// The waits of other sessions are tested in cancelled-sessions.ts.
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

  it('needs no replacement of a session after ten seconds', async () => {
    let now = 0
    const limit = createReconnectLimit(() => now)
    for (let time = 0; time < 9; time++) limit.destroyed()
    await limit.admit(signal, needed)
    now = 10_000
    for (let time = 0; time < 9; time++) await limit.admit(signal, needed)
  })
})
