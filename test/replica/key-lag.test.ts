import { expect } from 'chai'
import type { ReplicaState } from '../../src/model/observation.ts'
import { createKeyLag, type KeyLag } from '../../src/serve/replica/key-lag.ts'
import type { Probe } from '../../src/serve/replica/probe.ts'
import { casesOf } from './table.ts'

const SEEN: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: undefined,
  lagSeconds: 2,
  replayPaused: false,
}
const PROMOTED = { ...SEEN, inRecovery: false, lagSeconds: undefined }
const STATES: Readonly<Record<string, ReplicaState>> = {
  standby: SEEN,
  unknown: { ...SEEN, lagSeconds: undefined },
  promoted: PROMOTED,
}
const STANDBY = { inRecovery: true, isPooled: false, ageMs: () => 60_000 }
const ANSWERS: Readonly<Record<string, typeof STANDBY>> = {
  standby: STANDBY,
  primary: { ...STANDBY, inRecovery: false },
  'pooled standby': { ...STANDBY, isPooled: true },
  'pooled primary': { ...STANDBY, isPooled: true, inRecovery: false },
}
/** Probed state of the server, location of look-ups, server of the connection, and number of probes. */
const SERVERS = `
  standby  | replica   | standby        | answers, 0 probes
  unknown  | replica   | standby        | unknown, 0 probes
  nothing  | replica   | standby        | unknown, 0 probes
  nothing  | elsewhere | primary        | answers, 0 probes
  standby  | elsewhere | standby        | answers, 1 probes
  standby  | elsewhere | pooled primary | answers, 1 probes
  promoted | elsewhere | standby        | answers, 1 probes
  promoted | replica   | standby        | unknown, 0 probes
  promoted | replica   | primary        | unknown, 0 probes
  promoted | database  | standby        | unknown, 0 probes
  standby  | replica   | pooled standby | answers, 0 probes
  standby  | database  | standby        | answers, 0 probes
  standby  | database  | pooled standby | answers, 1 probes
`
const UNKNOWN = 'the lag of replica:5432 is unknown, and KEYS_MAX_LAG allows 5 s'
/** Location of look-ups: the replica of reports, another database on it, another server. */
type Place = 'replica' | 'database' | 'elsewhere'

function lagWith(state: ReplicaState | undefined, at: Place, ageMs = 0, allowPrimary = false) {
  const counts = { made: 0, probed: 0 }
  const probe = {
    state: () => state,
    stateAgeMs: () => ageMs,
    probeAnew: async () => void (counts.probed += 1),
  } as Partial<Probe> as Probe
  const lag = createKeyLag({
    name: 'replica:5432',
    maxLagMs: 5000,
    allowPrimary,
    replica: at === 'elsewhere' ? undefined : { probe, isSameDatabase: at === 'replica' },
    createProbe() {
      counts.made += 1
      return probe
    },
    probeMs: 100,
  })
  return { lag, counts }
}

/** Why a look-up on the server is not valid. */
const verdictOf = (lag: KeyLag, server: typeof STANDBY): string => {
  try {
    lag.check(server)
    return 'answers'
  } catch (error) {
    return (error as Error).message.replace(UNKNOWN, 'unknown')
  }
}

describe('the lag of a key database', () => {
  const late = 'the lag of replica:5432 is 5.1 s, and KEYS_MAX_LAG allows 5 s'
  for (const [stateName = '', at, name = '', expected] of casesOf(SERVERS)) {
    it(`on a server probed as ${stateName}, ${at}, and connected as ${name}: ${expected}`, async () => {
      const { lag, counts } = lagWith(STATES[stateName], at as Place)
      const server = ANSWERS[name]!
      await lag.connected(server)
      await lag.connected(server)
      const verdict = verdictOf(lag, server)
      expect(`${verdict}, ${counts.made} probes`).to.equal(expected)
    })
  }

  it('treats a promoted replica as the primary with ALLOW_PRIMARY', async () => {
    const { lag } = lagWith(PROMOTED, 'replica', 0, true)
    expect(verdictOf(lag, STANDBY)).to.equal('answers')
  })

  it('includes the time since the probe', async () => {
    expect(verdictOf(lagWith(SEEN, 'replica', 3100).lag, STANDBY)).to.equal(late)
  })

  it('probes a standby on a new connection, and ignores older states', async () => {
    const { lag, counts } = lagWith(SEEN, 'replica', 300)
    const since = (ms: number) => ({ ...STANDBY, ageMs: () => ms })
    await lag.connected(since(0))
    expect(counts.probed).to.equal(1)
    expect(verdictOf(lag, since(299))).to.equal('unknown')
    expect(verdictOf(lag, since(300))).to.equal('answers')
  })
})
