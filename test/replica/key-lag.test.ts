import { expect } from 'chai'
import type { ReplicaState } from '../../src/observation.ts'
import { createKeyLag } from '../../src/replica/key-lag.ts'
import type { Probe } from '../../src/replica/probe.ts'
import { watchedBy } from '../../src/replica/watched.ts'

const STANDBY: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: undefined,
  lagSeconds: 2,
  replayPaused: false,
}
const ON_STANDBY = { inRecovery: true, isPooled: false, ageMs: () => 60_000 }
const ON_PRIMARY = { ...ON_STANDBY, inRecovery: false }

interface Place {
  readonly allowPrimary?: boolean
  readonly ageMs?: number
  /** Where keys are looked up: where reports run, on another database there, elsewhere. */
  readonly at?: 'replica' | 'database' | 'elsewhere'
}

function lagWith(
  state: ReplicaState | undefined,
  { allowPrimary = false, ageMs = 0, at = 'replica' }: Place = {},
) {
  const probe: Probe = {
    state: () => state,
    ageMs: () => ageMs,
    pool: () => ({ inUse: 0, idle: 0, waiting: 0, max: 1 }),
    start: onUsable => onUsable(),
    look: () => {},
    lookAnew: async () => void (looks += 1),
    stop: async () => {},
  }
  let made = 0
  let looks = 0
  const lag = createKeyLag({
    name: 'replica:5432',
    maxLagMs: 5000,
    allowPrimary,
    replica:
      at === 'elsewhere'
        ? undefined
        : { watched: watchedBy(probe), isSameDatabase: at === 'replica' },
    createProbe: () => {
      made += 1
      return probe
    },
    lookMs: 100,
  })
  return { lag, made: () => made, looks: () => looks }
}

describe('createKeyLag', () => {
  it('lets a standby answer that is known to be near enough', () => {
    expect(lagWith(STANDBY).lag.refusal(ON_STANDBY)).to.equal(undefined)
  })

  it('refuses one further behind, counting what may have happened since the look', () => {
    const { lag } = lagWith(STANDBY, { ageMs: 3100 })
    expect(lag.refusal(ON_STANDBY)?.message).to.equal(
      'the lag of replica:5432 is 5.1 s, and KEYS_MAX_LAG allows 5 s',
    )
  })

  it('refuses one whose lag is unknown, or that no probe has seen', () => {
    for (const state of [{ ...STANDBY, lagSeconds: undefined }, undefined]) {
      expect(lagWith(state).lag.refusal(ON_STANDBY)?.message).to.contain('is unknown')
    }
  })

  it('has a standby looked at when it answers on a new connection, and goes by nothing older', () => {
    const { lag, looks } = lagWith(STANDBY, { ageMs: 300 })
    const since = (ms: number) => ({ ...ON_STANDBY, ageMs: () => ms })
    lag.connected(since(0))
    expect(looks()).to.equal(1)
    expect(lag.refusal(since(299))?.message).to.contain('is unknown')
    expect(lag.refusal(since(300))).to.equal(undefined)
  })

  it('needs no probe of a primary', () => {
    const { lag, made } = lagWith(undefined, { at: 'elsewhere' })
    lag.connected(ON_PRIMARY)
    expect(lag.refusal(ON_PRIMARY)).to.equal(undefined)
    expect(made()).to.equal(0)
  })

  it('makes a probe of its own, once, where it meets a standby or a pooler', () => {
    for (const server of [ON_STANDBY, { ...ON_PRIMARY, isPooled: true }]) {
      const { lag, made } = lagWith(STANDBY, { at: 'elsewhere' })
      lag.connected(server)
      lag.connected(server)
      expect(made()).to.equal(1)
      expect(lag.refusal(server)).to.equal(undefined)
    }
  })

  it('takes a promoted server for the primary only where it may be one', () => {
    const promoted = { ...STANDBY, inRecovery: false, lagSeconds: undefined }
    for (const place of [{ allowPrimary: true }, { at: 'elsewhere' }] as const) {
      expect(lagWith(promoted, place).lag.refusal(ON_STANDBY)).to.equal(undefined)
    }
    for (const at of ['replica', 'database'] as const) {
      const { lag } = lagWith(promoted, { at })
      expect(lag.refusal(ON_STANDBY)?.message).to.contain('is unknown')
      expect(lag.refusal(ON_PRIMARY)?.message).to.contain('is unknown')
    }
  })

  it("goes by the reports' probe, but on another database of a pooler", () => {
    const pooled = { ...ON_STANDBY, isPooled: true }
    for (const [at, server, count] of [
      ['replica', pooled, 0],
      ['database', ON_STANDBY, 0],
      ['database', pooled, 1],
    ] as const) {
      const { lag, made } = lagWith(STANDBY, { at })
      lag.connected(server)
      expect(made(), at).to.equal(count)
    }
  })
})
