import { expect } from 'chai'
import { createLagBound, type ProbeRow } from '../../src/serve/database/lag-bound.ts'

/** At second 10: a replayed message of second 9, a commit of second 2. */
const ROW: ProbeRow = {
  in_recovery: true,
  replay_paused: false,
  hidden: false,
  now_ms: '10000',
  replayed: '500',
  replayed_ms: '2000',
  end: '500',
  timeline: '1',
  sent_ms: '9000',
  received_ms: '9001',
}
const SILENT = { end: null, timeline: null, sent_ms: null, received_ms: null }
const GONE = { ...SILENT, now_ms: '15000' }
const BUSY = {
  replayed: '899',
  now_ms: '12000',
  end: '900',
  sent_ms: '11500',
  received_ms: '11501',
}
const SENT = { now_ms: '13000', sent_ms: '12000', received_ms: '12001', end: '500' }
const FUTURE = { ...SILENT, replayed_ms: '40000' }
/** With a primary's clock that is 30 s ahead. */
const AHEAD = { sent_ms: '39000', received_ms: '9001', replayed_ms: '32000' }

describe('the lag bound', () => {
  for (const [title, expected, ...rows] of [
    ['counts from the last message if its WAL is replayed', 1, {}],
    ['counts from the last commit if no WAL of a message is', 8, { replayed: '499' }],
    ['counts from the last commit if there was no message', 8, SILENT],
    ['counts from the newest message whose WAL is', 3, {}, BUSY],
    ['counts from the next once its WAL is', 0.5, {}, BUSY, { ...BUSY, replayed: '900' }],
    ['counts from the last message of a dead primary', 6, {}, GONE],
    ['counts from it if its WAL is replayed since', 6, { replayed: '400' }, GONE],
    ['does not take the sent position of a slow primary for its end', 11, { end: '900' }, SENT],
    ['takes less on another timeline', 1, { end: '900' }, { ...SENT, timeline: '2' }],
    ['is not reduced by a clock that is ahead', 0.999, AHEAD],
    ['is not reduced by that of a dead primary', 5.999, AHEAD, { ...AHEAD, ...GONE }],
    ['is never negative', 0, FUTURE],
    ['grows from there', 0.5, FUTURE, { ...FUTURE, now_ms: '10500' }],
    ['is unknown if nothing was ever replayed', undefined, { ...SILENT, replayed_ms: null }],
  ] as ReadonlyArray<[string, number | undefined, ...Array<Partial<ProbeRow>>]>) {
    it(title, () => {
      const lagBound = createLagBound(false)
      const states = rows.map(row => lagBound({ ...ROW, ...row }))
      expect(states.at(-1)?.lagSeconds).to.equal(expected)
    })
  }

  it('is not reduced by a clock that is ahead, after any time without a message', () => {
    const lagBound = createLagBound(false)
    const ahead = { ...ROW, ...AHEAD, replayed_ms: '39000' }
    lagBound(ahead)
    const cutOff = [200, 400, 800, 1600].map(
      second => lagBound({ ...ahead, ...SILENT, now_ms: `${second}000` }).lagSeconds,
    )
    expect(cutOff).to.deep.equal([190.999, 390.999, 790.999, 1590.999])
    const behind = createLagBound(false)({ ...ROW, ...AHEAD, replayed: '499' })
    expect(behind.lagSeconds, 'while behind').to.be.within(7, 8)
  })

  it('grows for hours while replay is paused, by a bounded number of messages', () => {
    const lagBound = createLagBound(false)
    const at = (second: number): ProbeRow => ({
      ...ROW,
      replayed_ms: null,
      now_ms: String(second * 1000),
      end: String(500 + second),
      sent_ms: String(second * 1000 - 100),
      received_ms: String(second * 1000 - 99),
    })
    lagBound({ ...ROW, replayed_ms: null })
    for (let second = 11; second < 5000; second += 1) {
      const paused = { lagSeconds: second - 9, dataAsOf: '1970-01-01T00:00:09.000Z' }
      expect(lagBound(at(second))).to.include(paused)
    }
    expect(lagBound({ ...at(5000), replayed: '5498' }).lagSeconds).to.be.within(2.1, 20)
  })

  it('has the age of the data without the privilege that lag requires', () => {
    const known = createLagBound(false)(ROW)
    expect(known).to.include({ usable: true, dataAsOf: '1970-01-01T00:00:09.000Z' })
    const hidden = createLagBound(false)({ ...ROW, ...SILENT, hidden: true })
    expect(hidden).to.include({ lagSeconds: undefined, dataAsOf: '1970-01-01T00:00:02.000Z' })
  })

  it('is that of the heartbeat if there is one, and unknown if it cannot be read', () => {
    const lagBound = createLagBound(false)
    const hidden = { ...ROW, ...SILENT, hidden: true }
    expect(lagBound(ROW, { writtenMs: 9500 }).lagSeconds).to.equal(0.5)
    expect(lagBound(hidden, { writtenMs: 9500 }).lagSeconds).to.equal(0.5)
    // why: a cascading standby gets messages from a standby that may be disconnected from the primary
    expect(lagBound(ROW, { writtenMs: 4000 }).lagSeconds).to.equal(6)
    expect(lagBound(ROW, { writtenMs: undefined }).lagSeconds).to.equal(undefined)
  })

  it('is 0 on a primary, and unknown on a writable server that is not allowed', () => {
    const writable = { ...ROW, in_recovery: false }
    const allowed = createLagBound(true)(writable)
    const now = { lagSeconds: 0, dataAsOf: '1970-01-01T00:00:10.000Z' }
    expect(allowed).to.include({ usable: true, ...now })
    const refused = { inRecovery: false, usable: false, lagSeconds: undefined }
    expect(createLagBound(false)(writable)).to.include(refused)
  })
})
