import { expect } from 'chai'
import { InvalidAccessRow } from '../../src/access/invalid-access-row.ts'
import { createInvalidAccessRows } from '../../src/access/invalid-access-rows.ts'
import type { Observe } from '../../src/observation.ts'
import { capture } from './capture.ts'

const row = (id: string): InvalidAccessRow =>
  new InvalidAccessRow('sql/access/x.sql', id, 'time_zone is null, expected an IANA name')

describe('access rows in the log', () => {
  function setUp() {
    const log = capture()
    let nowMs = 0
    const observe: Observe = fact => log.observe(fact)
    const rows = createInvalidAccessRows({ observe, now: () => nowMs })
    return { log, rows, pass: (seconds: number) => void (nowMs += seconds * 1000) }
  }

  it('have one line a minute for each organization, which is named', () => {
    const { log, rows, pass } = setUp()
    for (let second = 0; second < 90; second++) {
      for (const id of ['ACME', 'ACME', 'B']) rows.note(row(id))
      pass(1)
    }
    expect(log.lines().map(({ organizationId }) => organizationId)).to.deep.equal([
      'ACME',
      'B',
      'ACME',
      'B',
    ])
    expect(log.lines()[0]).to.include({ level: 'error' })
    expect(log.messages()[0]).to.equal(
      'the access row of an organization is not valid: its keys get 503 access_unavailable',
    )
    expect(rows.count()).to.equal(2)
    pass(60)
    expect(rows.count()).to.equal(0)
  })

  it('are few lines, however many organizations have one', () => {
    const { log, rows } = setUp()
    for (let id = 0; id < 10_000; id++) rows.note(row(String(id)))
    for (let id = 0; id < 10_000; id++) rows.note(row(String(id)))
    expect(log.lines()).to.have.length(100)
    expect(rows.count()).to.equal(100)
  })

  it('warn of a time zone that the two sides differ about', () => {
    const { log } = setUp()
    const zone = { timeZone: 'CET', at: '2026-07-15T12:00:00.000Z' }
    const minutes = { databaseMinutes: 60, runtimeMinutes: 120 }
    log.observe({ kind: 'time-zone-differs', ...zone, ...minutes })
    expect(log.lines()[0]).to.include({ level: 'warn', ...zone, ...minutes })
  })
})
