import { expect } from 'chai'
import { createReconnectLimit } from '../../src/serve/database/connection.ts'

describe('createReconnectLimit', () => {
  let now = 0
  beforeEach(() => (now = 0))

  /** How many of these sessions may be made now. */
  function admitted(limit: ReturnType<typeof createReconnectLimit>, count: number): number {
    return Array.from({ length: count }, () => limit.admits()).filter(Boolean).length
  }

  it('lets a pool grow at once, and replaces one destroyed session at once', () => {
    const limit = createReconnectLimit(() => now)
    expect(admitted(limit, 20)).to.equal(20)
    limit.destroyed()
    expect(admitted(limit, 6)).to.equal(1)
    limit.made()
    expect(admitted(limit, 20)).to.equal(20)
  })

  it('is the rate of sessions, also if a session that was admitted took an idle one', () => {
    const limit = createReconnectLimit(() => now)
    for (let time = 0; time < 2; time++) limit.destroyed()
    expect(admitted(limit, 6)).to.equal(1)
    now = 500
    expect(admitted(limit, 6)).to.equal(1)
    limit.made()
    now = 999
    expect(admitted(limit, 6)).to.equal(0)
  })

  it('ends a wait when its signal aborts', async () => {
    const limit = createReconnectLimit(() => now)
    limit.destroyed()
    limit.admits()
    const late = new AbortController()
    const waiting = limit.wait(late.signal)
    late.abort(new Error('aborted'))
    expect(await waiting.catch(({ message }: Error) => message)).to.equal('aborted')
  })

  it('needs no replacement of a session after ten seconds', () => {
    const limit = createReconnectLimit(() => now)
    for (let time = 0; time < 9; time++) limit.destroyed()
    limit.admits()
    now = 10_000
    expect(admitted(limit, 9)).to.equal(9)
  })
})
