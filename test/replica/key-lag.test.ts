import { expect } from 'chai'
import type { ReplicaState } from '../../src/observation.ts'
import { createKeyLag } from '../../src/replica/key-lag.ts'
import type { Probe } from '../../src/replica/probe.ts'
import { watchedBy } from '../../src/replica/watched.ts'

const SEEN: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: undefined,
  lagSeconds: 2,
  replayPaused: false,
}
const UNKNOWN = { ...SEEN, lagSeconds: undefined }
const PROMOTED = { ...SEEN, inRecovery: false, lagSeconds: undefined }
const STANDBY = { inRecovery: true, isPooled: false, ageMs: () => 60_000 }
const PRIMARY = { ...STANDBY, inRecovery: false }
const POOLED = { ...STANDBY, isPooled: true }
/** Where keys are looked up: where reports are executed, on another database there, elsewhere. */
type Place = 'replica' | 'database' | 'elsewhere'

function lagWith(state: ReplicaState | undefined, at: Place, ageMs = 0, allowPrimary = false) {
  const counts = { made: 0, looks: 0 }
  const probe = {
    state: () => state,
    ageMs: () => ageMs,
    lookAnew: async () => void (counts.looks += 1),
  } as Partial<Probe> as Probe
  const lag = createKeyLag({
    name: 'replica:5432',
    maxLagMs: 5000,
    allowPrimary,
    replica:
      at === 'elsewhere'
        ? undefined
        : { watched: watchedBy(probe), isSameDatabase: at === 'replica' },
    createProbe() {
      counts.made += 1
      return probe
    },
    lookMs: 100,
  })
  return { lag, counts }
}

describe('the lag of a database of keys', () => {
  const unknown = 'the lag of replica:5432 is unknown, and KEYS_MAX_LAG allows 5 s'
  const late = 'the lag of replica:5432 is 5.1 s, and KEYS_MAX_LAG allows 5 s'
  for (const [title, state, place, server, made, refusal] of [
    ['of a standby that is near enough', SEEN, 'replica', STANDBY, 0, undefined],
    ['of an unknown lag', UNKNOWN, 'replica', STANDBY, 0, unknown],
    ['of a server that no probe has seen', undefined, 'replica', STANDBY, 0, unknown],
    ['of a primary elsewhere', undefined, 'elsewhere', PRIMARY, 0, undefined],
    ['of a standby elsewhere', SEEN, 'elsewhere', STANDBY, 1, undefined],
    ['of a pooler elsewhere', SEEN, 'elsewhere', { ...POOLED, inRecovery: false }, 1, undefined],
    ['of a promoted server elsewhere', PROMOTED, 'elsewhere', STANDBY, 1, undefined],
    ['of a promoted server of reports', PROMOTED, 'replica', STANDBY, 0, unknown],
    ['of a promoted server of reports, seen as such', PROMOTED, 'replica', PRIMARY, 0, unknown],
    ['of a promoted server on another database', PROMOTED, 'database', STANDBY, 0, unknown],
    ['of a pooler of reports', SEEN, 'replica', POOLED, 0, undefined],
    ['of another database there', SEEN, 'database', STANDBY, 0, undefined],
    ['of another database of a pooler', SEEN, 'database', POOLED, 1, undefined],
  ] as const) {
    it(`${refusal === undefined ? 'lets answer' : 'refuses'}: the lag ${title}, with ${made} probes of its own`, () => {
      const { lag, counts } = lagWith(state, place)
      lag.connected(server)
      lag.connected(server)
      expect(lag.refusal(server)?.message).to.equal(refusal)
      expect(counts.made).to.equal(made)
    })
  }

  it('takes a promoted server of reports for the primary with ALLOW_PRIMARY', () => {
    expect(lagWith(PROMOTED, 'replica', 0, true).lag.refusal(STANDBY)).to.equal(undefined)
  })

  it('counts what may have happened since the look', () => {
    expect(lagWith(SEEN, 'replica', 3100).lag.refusal(STANDBY)?.message).to.equal(late)
  })

  it('has a standby looked at when it answers on a new connection, and goes by nothing older', () => {
    const { lag, counts } = lagWith(SEEN, 'replica', 300)
    const since = (ms: number) => ({ ...STANDBY, ageMs: () => ms })
    lag.connected(since(0))
    expect(counts.looks).to.equal(1)
    expect(lag.refusal(since(299))?.message).to.equal(unknown)
    expect(lag.refusal(since(300))).to.equal(undefined)
  })
})
