import { expect } from 'chai'
import { createReadLook } from '../../src/replica/lag-bound.ts'
import type { Look } from '../../src/replica/lag-bound.ts'

/** At second 10: a message of second 9 that is replayed, a commit of second 2. */
const LOOK: Look = {
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

function lagOf(...looks: Array<Partial<Look>>): number | undefined {
  const readLook = createReadLook(false)
  return looks.map(look => readLook({ ...LOOK, ...look }).lagSeconds).at(-1)
}

describe('the bound of lag', () => {
  it('counts from the last message of the primary while all that it tells of is replayed', () => {
    expect(createReadLook(false)(LOOK)).to.include({
      lagSeconds: 1,
      dataAsOf: '1970-01-01T00:00:09.000Z',
      usable: true,
    })
  })

  it('counts from the last replayed commit where no message is replayed, or none was heard', () => {
    expect(lagOf({ replayed: '499' })).to.equal(8)
    expect(lagOf(SILENT)).to.equal(8)
  })

  it('counts from the newest message that is replayed, though newer ones are not', () => {
    const busy = { now_ms: '12000', end: '900', sent_ms: '11500', received_ms: '11501' }
    expect(lagOf({}, { ...busy, replayed: '899' })).to.equal(3)
    expect(lagOf({}, { ...busy, replayed: '899' }, { ...busy, replayed: '900' })).to.equal(0.5)
  })

  it('still counts from it when the primary is gone', () => {
    expect(lagOf({}, { ...SILENT, now_ms: '15000' })).to.equal(6)
    expect(lagOf({ replayed: '400' }, { ...SILENT, now_ms: '15000' }), 'replayed since').to.equal(6)
  })

  it('does not take how far a slow primary has sent for the end of its WAL', () => {
    const sent = { now_ms: '13000', sent_ms: '12000', received_ms: '12001' }
    expect(lagOf({ end: '900' }, { ...sent, end: '500' })).to.equal(11)
  })

  it('takes an end that went back where another timeline begins', () => {
    const sent = { now_ms: '13000', sent_ms: '12000', received_ms: '12001' }
    expect(lagOf({ end: '900' }, { ...sent, end: '500', timeline: '2' })).to.equal(1)
  })

  it('is not lessened by such a clock, however long nothing has been heard of it', () => {
    const readLook = createReadLook(false)
    const ahead = { ...LOOK, sent_ms: '39000', received_ms: '9001', replayed_ms: '39000' }
    expect(readLook(ahead).lagSeconds).to.equal(0.999)
    const cutOff = [200, 400, 800, 1600].map(
      second => readLook({ ...ahead, ...SILENT, now_ms: `${second}000` }).lagSeconds,
    )
    expect(cutOff).to.deep.equal([190.999, 390.999, 790.999, 1590.999])
  })

  it('keeps a bounded number of messages, however long replay is paused', () => {
    const readLook = createReadLook(false)
    readLook(LOOK)
    const at = (second: number): Partial<Look> => ({
      now_ms: String(second * 1000),
      end: String(500 + second),
      sent_ms: String(second * 1000 - 100),
      received_ms: String(second * 1000 - 99),
    })
    for (let second = 11; second < 5000; second += 1) readLook({ ...LOOK, ...at(second) })
    const resumed = readLook({ ...LOOK, ...at(5000), replayed: '5498' })
    expect(resumed.lagSeconds).to.be.within(2.1, 20)
  })

  it('is unknown without the grant, but the data are still known to be that new', () => {
    const state = createReadLook(false)({ ...LOOK, ...SILENT, hidden: true })
    expect(state).to.include({ lagSeconds: undefined, dataAsOf: '1970-01-01T00:00:02.000Z' })
  })

  it('is unknown where nothing was ever replayed', () => {
    const state = createReadLook(false)({ ...LOOK, ...SILENT, replayed_ms: null })
    expect(state).to.include({ lagSeconds: undefined, dataAsOf: undefined, usable: true })
  })

  it('is not lessened by a primary whose clock is ahead, not even once it is gone', () => {
    const ahead = { sent_ms: '39000', received_ms: '9001', replayed_ms: '32000' }
    expect(lagOf(ahead)).to.equal(0.999)
    expect(lagOf(ahead, { ...ahead, ...SILENT, now_ms: '15000' })).to.equal(5.999)
    expect(lagOf({ ...ahead, replayed: '499' }), 'while behind').to.be.within(7, 8)
  })

  it('is never negative, nor no number', () => {
    expect(lagOf({ replayed_ms: '40000', ...SILENT })).to.equal(0)
    const later = { ...SILENT, replayed_ms: '40000', now_ms: '10500' }
    expect(lagOf({ replayed_ms: '40000', ...SILENT }, later)).to.equal(0.5)
  })

  it('is that of the heartbeat where the product writes one, and unknown where it cannot be read', () => {
    const readLook = createReadLook(false)
    expect(readLook(LOOK, { writtenMs: 9500 }).lagSeconds).to.equal(0.5)
    expect(readLook({ ...LOOK, hidden: true, ...SILENT }, { writtenMs: 9500 }).lagSeconds).to.equal(
      0.5,
    )
    // why: a standby of a standby hears that all is well from one that may have been cut off
    expect(readLook(LOOK, { writtenMs: 4000 }).lagSeconds).to.equal(6)
    expect(readLook(LOOK, { writtenMs: undefined }).lagSeconds).to.equal(undefined)
  })

  it('is 0 on a primary, and unknown on a writable server that is not let in', () => {
    const writable = { ...LOOK, in_recovery: false }
    expect(createReadLook(true)(writable)).to.include({
      usable: true,
      lagSeconds: 0,
      dataAsOf: '1970-01-01T00:00:10.000Z',
    })
    expect(createReadLook(false)(writable)).to.include({
      inRecovery: false,
      usable: false,
      lagSeconds: undefined,
    })
  })
})
