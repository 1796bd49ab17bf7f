import { expect } from 'chai'
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
    limit.made()
    await limit.admit(signal, needed)
  })

  it('is the rate of sessions, also if a session that was waited for takes another one', async () => {
    let now = 0
    const limit = createReconnectLimit(() => now)
    for (let time = 0; time < 2; time++) limit.destroyed()
    await limit.admit(signal, needed)
    now = 500
    // why: an idle session was taken meanwhile, and none was made
    await limit.admit(signal, needed)
    limit.made()
    const late = new AbortController()
    const third = limit.admit(late.signal, needed)
    late.abort(new Error('waits'))
    expect(await third.catch(({ message }: Error) => message)).to.equal('waits')
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
