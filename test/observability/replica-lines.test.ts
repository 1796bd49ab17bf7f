import { expect } from 'chai'
import type { ReplicaState } from '../../src/observation.ts'
import { capture, failure } from './capture.ts'
import { run } from './facts.ts'

const standby: ReplicaState = {
  inRecovery: true,
  usable: true,
  dataAsOf: '2026-11-21T09:59:59.000Z',
  lagSeconds: 1,
  replayPaused: false,
}

describe('the replica in the log', () => {
  it('has one line for many failed probes alike, a count every 30 s, and how long it was away', () => {
    const log = capture()
    log.observe({ kind: 'replica-probed', state: standby })
    for (let second = 0; second < 45; second++) {
      log.observe({
        kind: 'replica-probe-failed',
        error: failure('refused', { code: 'ECONNREFUSED' }),
      })
      log.pass(1)
    }
    log.observe({ kind: 'replica-probe-failed', error: failure('starting up', { code: '57P03' }) })
    log.pass(1)
    log.observe({ kind: 'replica-probed', state: standby })
    log.observe({ kind: 'replica-probed', state: standby })
    const away = 'the replica does not answer the probe; it is asked again and again'
    expect(log.messages()).to.deep.equal([
      'reports run on a hot standby',
      away,
      away,
      away,
      'the replica answers after 46 s',
    ])
    expect(log.lines()[2]).to.include({ omitted: 29 })
    expect(log.lines()[4]).to.include({ awaySeconds: 46, failures: 46 })
  })

  it('has one line for many connections lost alike, by pool', () => {
    const log = capture()
    const error = failure('terminated', { code: '57P01' })
    for (let count = 0; count < 8; count++) {
      log.observe({ kind: 'connection-lost', pool: 'reports', error })
    }
    log.observe({ kind: 'connection-lost', pool: 'keys', error })
    log.pass(30)
    log.observe({ kind: 'connection-lost', pool: 'reports', error })
    expect(log.messages()).to.deep.equal([
      'a connection of the pool reports broke',
      'a connection of the pool keys broke',
      'a connection of the pool reports broke',
    ])
    expect(log.lines()[2]).to.include({ omitted: 7 })
  })

  it('has a line for each replica that runs or connections broke on', () => {
    const log = capture()
    const error = failure('terminated', { code: '57P01' })
    const replicas = ['one:5432', 'two:5432', 'one:5432']
    for (const replica of replicas) {
      log.observe({ kind: 'connection-lost', pool: 'reports', error, replica })
      log.observe(run({ outcome: 'unavailable', error, replica }))
    }
    log.observe(run({ outcome: 'unavailable', error: new Error('no replica') }))
    expect(log.lines().map(line => [line['msg'], line['replica']])).to.deep.equal([
      ['a connection of the pool reports broke', 'one:5432'],
      ['a run did not get to its end', 'one:5432'],
      ['a connection of the pool reports broke', 'two:5432'],
      ['a run did not get to its end', 'two:5432'],
      ['a run found no replica', undefined],
    ])
  })

  it('says of a full spool what to do, and nothing of a replica that is away', () => {
    const log = capture()
    for (const bytes of [500, 700]) {
      const error = new Error(`slow readers have ${bytes} bytes to take already`)
      log.observe(run({ outcome: 'spool_full', error, replica: 'one:5432' }))
    }
    expect(log.messages()).to.have.length(1)
    expect(log.messages()[0]).to.match(/slow readers are full: raise SPOOL_MAX_BYTES/)
  })

  it('has one line for refusals that differ in the lag alone', () => {
    const log = capture()
    for (const lag of ['4.1', '4.2', '10.3']) {
      const error = new Error(`the lag of one:5432 is ${lag} s, and KEYS_MAX_LAG allows 4 s`)
      log.observe({ kind: 'key-lookup', keyCount: 1, durationMs: 1, error })
    }
    const other = new Error('the lag of two:5432 is 4.1 s, and KEYS_MAX_LAG allows 4 s')
    log.observe({ kind: 'key-lookup', keyCount: 1, durationMs: 1, error: other })
    expect(log.lines()).to.have.length(2)
  })

  it('names the database that a look-up of keys failed at, and tells two of them apart', () => {
    const log = capture()
    for (const replica of ['one:5432', 'two:5432', 'one:5432']) {
      const error = failure('away', { code: 'ECONNREFUSED', replica })
      log.observe({ kind: 'key-lookup', keyCount: 1, durationMs: 1, error })
    }
    expect(log.lines().map(line => line['replica'])).to.deep.equal(['one:5432', 'two:5432'])
  })

  it('has one line for many runs of a definition that fail alike', () => {
    const log = capture()
    const error = failure('permission denied for table deals', { code: '42501' })
    for (const definition of ['deals', 'deals', 'tasks']) {
      log.observe(run({ outcome: 'error', definition, error }))
    }
    log.pass(30)
    log.observe(run({ outcome: 'error', definition: 'deals', error }))
    expect(log.lines().map(line => [line['msg'], line['omitted']])).to.deep.equal([
      ['the run of deals failed', undefined],
      ['the run of tasks failed', undefined],
      ['the run of deals failed', 1],
    ])
  })

  it('has one line for many failed look-ups alike, and their recovery', () => {
    const log = capture()
    const lookup = { kind: 'key-lookup', keyCount: 1, durationMs: 1 } as const
    log.observe({ ...lookup, error: new Error('away') })
    log.observe({ ...lookup, error: new Error('away') })
    log.pass(2.5)
    log.observe({ ...lookup, error: undefined })
    log.observe({ ...lookup, error: undefined })
    expect(log.messages()).to.deep.equal([
      'keys cannot be looked up, so requests get 503 access_unavailable',
      'keys can be looked up after 2.5 s',
    ])
  })

  it('says once that the server is writable and what to do, then that it is not', () => {
    const log = capture()
    const writable = { ...standby, inRecovery: false, usable: false, lagSeconds: 0 }
    log.observe({ kind: 'replica-probed', state: writable })
    log.observe({ kind: 'replica-probed', state: writable })
    log.observe({ kind: 'replica-probed', state: standby })
    log.observe({ kind: 'replica-probed', state: { ...writable, usable: true } })
    expect(log.lines().map(({ level }) => level)).to.deep.equal(['error', 'info', 'warn'])
    expect(log.messages()[0]).to.match(/is writable.*hot standby, or set ALLOW_PRIMARY=true/)
    expect(log.messages()[2]).to.match(/ALLOW_PRIMARY lets in/)
  })

  it('has a warning with what the role of reports can write and what mends it, and says when it cannot', () => {
    const log = capture()
    const found =
      'the role of reports can write (x has insert on y). Execute on the primary: revoke insert on y from x;'
    log.observe({ kind: 'write-privileges', replica: 'one:5432', found })
    log.observe({ kind: 'write-privileges', replica: 'one:5432', found: undefined })
    expect(log.lines().map(({ level }) => level)).to.deep.equal(['warn', 'info'])
    expect(log.lines()[0]).to.include({ replica: 'one:5432' })
    expect(log.messages()[0]).to.equal(found)
    expect(log.messages()[1]).to.contain('can write nothing')
  })

  it('says once that replay is paused or the lag unknown and what to do, then that it is over', () => {
    const log = capture()
    const paused = { ...standby, replayPaused: true }
    const unknown = { ...standby, lagSeconds: undefined }
    for (const state of [standby, paused, paused, standby, unknown, unknown, standby]) {
      log.observe({ kind: 'replica-probed', state })
    }
    expect(log.messages()).to.have.lengthOf(5)
    expect(log.messages()[1]).to.match(/paused.*pg_wal_replay_resume/)
    expect(log.messages()[2]).to.equal('replay goes on')
    expect(log.messages()[3]).to.match(/unknown.*pg_read_all_stats/)
    expect(log.messages()[4]).to.equal("the replica's lag is known")
  })

  it('says why a heartbeat cannot be read, and nothing of the lag of a promoted server', () => {
    const log = capture()
    const heartbeatError = new Error('permission denied for table heartbeat')
    const unread = { ...standby, lagSeconds: undefined, heartbeatError }
    const promoted = { ...standby, inRecovery: false, usable: false, lagSeconds: undefined }
    for (const state of [standby, unread, unread, standby, promoted]) {
      log.observe({ kind: 'replica-probed', state })
    }
    expect(log.messages()).to.have.lengthOf(4)
    expect(log.messages()[1]).to.match(/heartbeat cannot be read/)
    expect(log.lines()[1]).to.have.nested.property('err.message', heartbeatError.message)
    expect(log.messages()[3]).to.match(/is writable/)
  })
})
