import { expect } from 'chai'
import type { ReplicaState } from '../../src/model/observation.ts'
import { classify } from '../../src/serve/database/classify-error.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { errorOf, execute, rowsOf, serversOfTests, type Server } from './execute.ts'
import type { Probe } from '../../src/serve/database/probe.ts'
import type { Rows } from '../../src/serve/database/rows.ts'
import { readHex } from './rows.ts'
import { startWire } from './wire.ts'

const STANDBY: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: undefined,
  lagSeconds: 2,
  replayPaused: false,
}
const probed = (state: () => ReplicaState) => ({
  state,
  stateAgeMs: () => 0,
  probeNow: async () => {},
  renew: async () => {},
  refuseOther: () => {},
  guardsFor: () => [],
  statementFailed: () => {},
  otherServer: () => undefined,
  watch: () => {},
  probe: () => {},
})
const BACKEND = 'select pg_backend_pid()'

describe('an execution on a connection', () => {
  const serverAt = serversOfTests()
  let url: string
  let replica: Server
  let state = STANDBY

  before(async () => {
    url = (await sharedCluster()).replicaUrl
  })
  beforeEach(() => {
    state = STANDBY
    replica = serverAt(url, { probe: probed(() => state) as Partial<Probe> as Probe })
  })

  it('is rejected if the replica has meanwhile fallen too far behind', async () => {
    const bounded = { maxLagMs: 3000 }
    expect(await errorOf(replica, 'select 1', bounded)).to.equal(undefined)
    state = { ...STANDBY, lagSeconds: 4 }
    const { problem, remedy } = classify(await errorOf(replica, 'select 1', bounded))
    expect([problem.code, remedy]).to.deep.equal(['replica_unavailable', 'elsewhere'])
    expect(await errorOf(replica, 'select 1')).to.equal(undefined)
  })

  it('has not timed out if its result arrived while the process stalled', async () => {
    const ended = errorOf(replica, 'select pg_sleep(0.2)::text', { timeoutMs: 500 })
    await new Promise(resolve => setTimeout(resolve, 100))
    // why: timers are next then, before what has arrived is read
    await new Promise(setImmediate)
    for (const endsAt = performance.now() + 1000; performance.now() < endsAt;);
    expect(await ended).to.equal(undefined)
  })

  it('releases its connection if its rows cannot be read', async () => {
    const cause = new TypeError('bug')
    const read = (): never => {
      throw cause
    }
    const text = 'select generate_series(1, 20000000)'
    expect(await errorOf(replica, text, { read })).to.include({
      code: 'internal_error',
      cause,
    })
    expect(await errorOf(replica, 'select 1'), 'on the only connection').to.equal(undefined)
  })

  for (const [title, ageAfterLook, expected] of [
    ['is probed before data on a new connection have an age', 0, '2026-03-01T00:00:00Z'],
    // why: after a crash a standby restarts with older data
    ['gives data on a new connection no age while probes fail', 60_000, undefined],
  ] as const) {
    it(title, async () => {
      state = { ...STANDBY, dataAsOf: '2026-03-01T00:00:00Z' }
      let ageMs = 60_000
      const again = serverAt(url, {
        probe: {
          ...probed(() => state),
          stateAgeMs: () => ageMs,
          probeNow: async () => void (ageMs = ageAfterLook),
        } as Partial<Probe> as Probe,
      })
      let told: unknown = 'nothing'
      const read = (rows: Rows) => {
        told = rows.dataAsOf
        return readHex(rows)
      }
      await execute(again, 'select 1', { read })
      expect(told).to.equal(expected)
    })
  }

  it('leaves its connection reusable after an error message in any language', async () => {
    let held = Buffer.alloc(0)
    const wire = await startWire(url, {
      toClient(bytes) {
        held = Buffer.concat([held, bytes])
        const at = held.indexOf('SERROR\0VERROR\0')
        if (at >= 0) held.write('SFEHLR', at)
        // why: ReadyForQuery may arrive in a separate packet, and the connection is not idle before
        if (at >= 0 && held.at(-6) !== 'Z'.charCodeAt(0)) return undefined
        const passed = held
        held = Buffer.alloc(0)
        return passed
      },
    })
    const inGerman = serverAt(wire.url)
    const before = await rowsOf(inGerman, BACKEND)
    const error = await errorOf(inGerman, 'select 1 / 0')
    expect(error).to.have.nested.property('cause.severity', 'FEHLR')
    expect(await rowsOf(inGerman, BACKEND)).to.deep.equal(before)
    wire.close()
  })
})
