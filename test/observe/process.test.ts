import { expect } from 'chai'
import { CLOSE_REASONS, type Observation } from '../../src/model/observation.ts'
import { capture, failure, happens, times } from './observed.ts'
import { InvalidAccessRow, createInvalidAccessRows } from '../../src/serve/access/access-rows.ts'

describe('the process', () => {
  happens(
    'has a line for each stage, and metrics of its definitions and of draining',
    [
      { kind: 'definitions-loaded', reportCount: 7, metricCount: 20, durationMs: 5 },
      { kind: 'listening', server: 'api', host: '::1', port: 8080 },
      { kind: 'listening', server: 'operations', host: '127.0.0.1', port: 9464 },
      { kind: 'draining', signal: 'SIGTERM', delayMs: 5000 },
      { kind: 'draining', signal: 'SIGTERM', delayMs: 0 },
      { kind: 'stopped', durationMs: 12 },
    ],
    `info: the definitions are loaded | reportCount 7, metricCount 20
    info: the API on http://[::1]:8080
    info: operations on http://127.0.0.1:9464
    info: draining: not ready, still serving | signal SIGTERM, delayMs 5000
    info: draining: not ready, finishing
    info: stopped`,
    'definitions_loaded report 7, definitions_loaded metric 20, definitions_last_reload_success_timestamp_seconds 1700000000, draining 1',
  )

  const error = (code: string) =>
    ({ kind: 'process-error', error: failure('x', { code }) }) as const
  happens(
    'has lines for its errors, and at the end the number of omitted ones',
    [...times(3, error('1')), error('2'), 'flush'],
    `error: uncaught error
    error: uncaught error
    error: 2 more: uncaught error | omitted 2`,
    'process_errors_total 4',
  )

  const closed = CLOSE_REASONS.map(reason => ({ kind: 'connection-closed', reason }) as const)
  happens(
    'has a line in 30 s for each reason to close connections, with the number of omitted ones',
    [...times(31, ...closed, 1), closed[0]!, 'flush'],
    `warn: a connection was closed: MAX_CONNECTIONS are open | reason limit, omitted undefined
    warn: a connection was closed after 20 responses 401 in a row; if it is of a proxy, name the proxy in TRUST_PROXY | reason unauthorized
    warn: a connection was closed: too many pipelined requests waited | reason pipelined
    warn: a connection was closed: MAX_CONNECTIONS are open | omitted 29
    warn: a connection was closed after 20 responses 401 in a row; if it is of a proxy, name the proxy in TRUST_PROXY | omitted 29
    warn: a connection was closed: too many pipelined requests waited | omitted 29
    warn: 1 more: a connection was closed: MAX_CONNECTIONS are open | reason limit, omitted 1`,
    `http_connections_closed_total limit 32, http_connections_closed_total unauthorized 31,
    http_connections_closed_total pipelined 31`,
  )

  const nulled = (column: string) =>
    ({ kind: 'values-nulled', definition: 'deals', column, valueCount: 2 }) as const
  happens(
    'has a line in 30 s for each column with values that are sent as null',
    [...times(1000, nulled('day')), nulled('at'), 31, nulled('day'), nulled('day'), 'flush'],
    `warn: the column day of deals has NaN, infinity or dates outside the years 0001-9999, which are sent as null | definition deals, column day, valueCount 2
    warn: the column at of deals has NaN, infinity or dates outside the years 0001-9999, which are sent as null
    warn: the column day of deals has NaN, infinity or dates outside the years 0001-9999, which are sent as null | omitted 999
    warn: 1 more: the column day of deals has NaN, infinity or dates outside the years 0001-9999, which are sent as null | definition deals, column day, omitted 1`,
    '',
  )

  const file = 'reports/deals.sql'
  const at = '2026-07-15T12:00:00.000Z'
  const minutes = { databaseMinutes: -60, runtimeMinutes: 120 }
  happens(
    'counts observations without a line, and logs those without a metric',
    [
      { kind: 'key-checked', outcome: 'locked' },
      { kind: 'cache-evicted', reason: 'share' },
      { kind: 'log-line-dropped' },
      { kind: 'definition-refused', definition: 'deals', file, line: 7, error: failure('x') },
      { kind: 'access-degraded', file, line: 3, error: failure('y') },
      { kind: 'time-zone-differs', timeZone: 'CET', at, ...minutes },
    ],
    `error: deals cannot be executed on this replica | file ${file}, line 7
    warn: sql/access/ has a finding: commands cannot use the list of organizations, keys of some get 503 access_unavailable, or each look-up of a key is slow | file ${file}, line 3
    warn: PostgreSQL and Node give a time zone different offsets: dates may be wrong by the difference; use a name such as Europe/Berlin instead of an abbreviation such as CET, and the same tzdata release on both | timeZone CET, at ${at}, databaseMinutes -60, runtimeMinutes 120`,
    `key_checks_total locked 1, cache_evictions_total share 1, log_lines_dropped_total 1`,
  )

  happens(
    'counts durations that are no number as errors',
    [
      { kind: 'connection-acquired', pool: 'keys', durationMs: Number.NaN },
      { kind: 'connection-acquired', pool: 'keys', durationMs: Infinity },
    ],
    '',
    'process_errors_total 2',
  )
})

describe('an access row that is not valid', () => {
  it('has a line a minute for each organization, and few for many organizations', () => {
    const log = capture()
    let nowMs = 1
    const observe = (fact: Observation): void => log.observe(fact)
    const rows = createInvalidAccessRows(observe, () => nowMs)
    const note = (id: string): void =>
      rows.note(new InvalidAccessRow('sql/access/x.sql', id, 'time_zone is null'))
    for (; nowMs < 90_000; nowMs += 1000) for (const id of ['ACME', 'ACME', 'B']) note(id)
    expect(log.lines().map(({ organizationId }) => organizationId)).to.deep.equal(
      'ACME B ACME B'.split(' '),
    )
    expect(log.lines()[0]).to.include({
      level: 'error',
      msg: 'the access row of an organization is not valid: its keys get 503 access_unavailable',
    })
    expect(rows.count()).to.equal(2)
    nowMs += 60_000
    expect(rows.count()).to.equal(0)
    for (let id = 0; id < 20_000; id += 1) note(String(id % 10_000))
    expect([log.lines().length - 4, rows.count()]).to.deep.equal([100, 100])
  })
})
