import { expect } from 'chai'
import { capture, failure, happens, problem, request, times } from './observed.ts'

describe('a request', () => {
  const moved = (status: number, report = 'profit_loss', seconds = 0.001, bytes = 10) => `
    http_requests_total report ${report} ${status} 1,
    http_request_duration_seconds_sum report ${report} ${seconds},
    http_request_duration_seconds_count report ${report} 1,
    http_response_bytes_total report ${bytes},`
  const cause = failure('the organization has 4 executing')

  happens(
    'that missed is counted by route, report, status, result and format, and has a line',
    [request({ cache: 'miss', format: 'csv', durationMs: 12.34, sentBytes: 300 })],
    `info: GET report profit_loss 200 miss | requestId r-1, organizationId o-1, status 200, cache miss, format csv, durationMs 12.3, sentBytes 300`,
    `${moved(200, 'profit_loss', 0.01234, 300)} cache_requests_total miss 1, report_answers_total csv 1`,
  )
  happens(
    'that was a hit before Koa has no line',
    [request({ cache: 'hit', shortcut: true })],
    '',
    `${moved(200)} cache_requests_total hit 1, http_shortcut_requests_total 1`,
  )
  happens(
    'that was slow has a warning',
    [request({ cache: 'hit', durationMs: 1000 })],
    'warn: GET report profit_loss 200 hit | slow true',
    `${moved(200, 'profit_loss', 1)} cache_requests_total hit 1`,
  )
  const first = (result: string) =>
    `http_time_to_first_byte_seconds_sum report ${result} 0.0005, http_time_to_first_byte_seconds_count report ${result} 1,`
  happens(
    'that began is counted by the cache result, and a stale one by age',
    [request({ cache: 'stale', ageSeconds: 400, firstByteMs: 0.5 })],
    '',
    `${moved(200)} ${first('stale')} cache_requests_total stale 1,
    stale_response_age_seconds_sum 400, stale_response_age_seconds_count 1`,
  )
  happens(
    'that began as a problem has no cache result',
    [problem(504, 'report_timeout', { cache: 'miss', firstByteMs: 0.5 })],
    'error: GET report profit_loss 504 report_timeout',
    `${moved(504)} ${first('none')} cache_requests_total miss 1, problems_total report_timeout 1`,
  )
  happens(
    'whose client disconnected has a line',
    [request({ cache: 'collapsed', aborted: true })],
    'info: GET report profit_loss 200 collapsed | aborted true',
    `${moved(200)} cache_requests_total collapsed 1, http_client_aborts_total 1`,
  )
  happens(
    'that failed after status 200 was sent has the cause',
    [request({ aborted: true, problem: 'internal_error', cause })],
    'warn: GET report profit_loss 200 internal_error | aborted true, err [object Object]',
    `${moved(200)} problems_total internal_error 1, http_client_aborts_total 1`,
  )
  happens(
    'that is invalid has a line without a cause',
    [problem(400, 'bad_range', { cause })],
    'info: GET report profit_loss 400 bad_range | err undefined, slow undefined',
    `${moved(400)} problems_total bad_range 1`,
  )
  happens(
    'without a report is counted as `none`',
    [request({ report: undefined })],
    '',
    moved(200, 'none'),
  )
  happens(
    'refused for its organization has the reason and the retry time, without a stack',
    [problem(429, 'rate_limited', { refusal: 'waiting', cause, retryAfterSeconds: 7 })],
    'warn: GET report profit_loss 429 rate_limited | organizationId o-1, reason waiting, refusal the organization has 4 executing, retryAfterSeconds 7, err undefined',
    `${moved(429)} problems_total rate_limited 1, requests_refused_total waiting 1`,
  )
  happens(
    'refused for all organizations is an error without a stack',
    [problem(503, 'overloaded', { refusal: 'overloaded', cause })],
    'error: GET report profit_loss 503 overloaded | reason overloaded, err undefined',
    `${moved(503)} problems_total overloaded 1, requests_refused_total overloaded 1`,
  )

  it('that failed by a defect has a stack, and by PostgreSQL only at level `debug`', () => {
    const stackOf = (level: 'info' | 'debug', cause: Error): unknown => {
      const log = capture({ level })
      log.observe(problem(500, 'internal_error', { cause }))
      return Object(log.lines()[0]?.['err']).stack
    }
    const nested = (code: string): Error => new Error('x', { cause: failure('y', { code }) })
    expect(stackOf('info', new TypeError('x'))).to.contain('requests.test')
    expect(stackOf('info', nested('ERR_INVALID_ARG_TYPE'))).to.contain('requests.test')
    for (const code of ['22012', 'XX000', 'ECONNREFUSED']) {
      expect(stackOf('info', nested(code)), code).to.equal(undefined)
      expect(stackOf('debug', nested(code)), code).to.contain('requests.test')
    }
  })

  it('that failed has the cause, with its fields of PostgreSQL', () => {
    const conflict = failure('canceling statement due to conflict with recovery', {
      code: '40001',
      severity: 'ERROR',
      detail: 'User query might have needed to see row versions that must be removed.',
    })
    const log = capture()
    const cause = new Error('the run failed', { cause: conflict })
    log.observe(problem(503, 'replica_unavailable', { cause }))
    const [line] = log.lines()
    expect(line).to.include({ level: 'error', problem: 'replica_unavailable' })
    const err = Object(line?.['err'])
    expect(err).to.include({ type: 'Error', message: 'the run failed' })
    expect(err.cause).to.include({ code: '40001', severity: 'ERROR' })
    expect(err.cause.detail).to.match(/^User query/)
  })
})

describe('requests that repeat', () => {
  it('have a line each at level `debug`', () => {
    const log = capture({ level: 'debug' })
    for (const cache of ['hit', 'hit'] as const) {
      log.observe(request({ cache }))
      log.observe(problem(400, 'bad_range'))
    }
    const each = [
      'debug: GET report profit_loss 200 hit',
      'info: GET report profit_loss 400 bad_range',
    ]
    const found = log.lines().map(({ level, msg }) => `${String(level)}: ${String(msg)}`)
    expect(found).to.deep.equal([...each, ...each])
  })

  const invalid = (organizationId?: string) => problem(400, 'bad_range', { organizationId })
  happens(
    'have a line in 30 s for each organization, with the number of omitted ones',
    times(31, invalid(), invalid('o-2'), 1),
    `info: GET report profit_loss 400 bad_range | organizationId undefined, omitted undefined
    info: GET report profit_loss 400 bad_range | organizationId o-2, omitted undefined
    info: GET report profit_loss 400 bad_range | organizationId undefined, omitted 29
    info: GET report profit_loss 400 bad_range | organizationId o-2, omitted 29`,
  )

  const failed = (code: string, fields: object = {}) =>
    problem(500, 'internal_error', { cause: failure('failed', { code }), ...fields })
  const limited = (refusal: 'requests' | 'waiting') => problem(429, 'rate_limited', { refusal })
  happens(
    'have separate lines for organizations, reports and causes of failures',
    [
      ...times(2, failed('42501')),
      failed('42501', { organizationId: 'o-2' }),
      failed('42501', { report: 'cash_flow' }),
      failed('42P01'),
      30,
      failed('42501'),
    ],
    `error: GET report profit_loss 500 internal_error | omitted undefined
    error: GET report profit_loss 500 internal_error | organizationId o-2
    error: GET report cash_flow 500 internal_error
    error: GET report profit_loss 500 internal_error
    error: GET report profit_loss 500 internal_error | omitted 1`,
  )

  const late = (report: string) => problem(504, 'report_timeout', { report })
  happens(
    'have separate lines for reports that time out, and one for clients that disconnect',
    [...times(2, late('cash_flow'), late('profit_loss')), ...times(9, request({ aborted: true }))],
    `error: GET report cash_flow 504 report_timeout
    error: GET report profit_loss 504 report_timeout
    info: GET report profit_loss 200`,
  )

  happens(
    'have separate lines for reasons of a refusal',
    [limited('requests'), limited('waiting'), limited('requests')],
    `warn: GET report profit_loss 429 rate_limited | reason requests
    warn: GET report profit_loss 429 rate_limited | reason waiting`,
  )

  happens(
    'have a line with the number of omitted ones, with the summary and at the end',
    [...times(26, limited('requests')), 'flush', ...times(3, limited('requests')), 'close'],
    `warn: GET report profit_loss 429 rate_limited
    warn: 25 more: GET report profit_loss 429 rate_limited | organizationId o-1, problem rate_limited, reason requests, omitted 25
    info: requests of 0 s
    warn: 3 more: GET report profit_loss 429 rate_limited
    info: requests of 0 s`,
  )

  it('are few lines, limited for each known organization, for any number of organizations', () => {
    const log = capture()
    log.observe(failed('42501', { organizationId: 'victim' }))
    for (let at = 0; at < 3000; at += 1) log.observe(failed('42501', { organizationId: `${at}` }))
    // why: 1024 have separate limits, all others share one
    expect(log.texts).to.have.length(1025)
    log.observe(failed('42501', { organizationId: 'victim' }))
    log.flush()
    const told = log.lines().slice(1025, -1)
    expect(told.map(({ msg, organizationId }) => [msg, organizationId])).to.deep.equal([
      ['1 more: GET report profit_loss 500 internal_error', 'victim'],
      ['1976 more: lines of several kinds', undefined],
    ])
    log.pass(30)
    for (const organizationId of ['newcomer', 'victim'])
      log.observe(failed('1', { organizationId }))
    const organizations = log.lines().map(line => line['organizationId'])
    expect(organizations.slice(-2)).to.deep.equal(['newcomer', 'victim'])
  })
})

describe('the summary of requests', () => {
  it('counts by route, result and problem, with latencies, and restarts at 0', () => {
    const log = capture()
    const summaryOf = (...facts: ReturnType<typeof request>[]): Record<string, unknown> => {
      facts.forEach(fact => log.observe(fact))
      log.flush()
      return log.lines().at(-1) ?? {}
    }
    const ping = request({ route: 'ping', report: undefined, durationMs: 0 })
    const hit = request({ cache: 'hit', durationMs: 2 })
    const slow = { durationMs: 50 }
    log.pass(60)
    const { msg, seconds, requests, routes } = summaryOf(
      ...Array.from({ length: 97 }, () => hit),
      request({ cache: 'stale', ...slow }),
      request({ cache: 'collapsed', ...slow }),
      problem(400, 'bad_range', { durationMs: 0 }),
      ping,
    )
    expect([msg, seconds, requests]).to.deep.equal(['requests of 60 s', 60, 101])
    const { p50Ms, p99Ms, ...counts } = Object(Object(routes).report)
    expect(counts).to.deep.equal({ requests: 100, hit: 97, collapsed: 1, stale: 1, problems: 1 })
    expect(p50Ms).to.be.within(2, 2.2)
    expect(p99Ms).to.be.within(50, 55)
    expect(Object(routes).ping).to.deep.equal({ requests: 1, p50Ms: 0.1, p99Ms: 0.1 })
    expect(Object(summaryOf(hit, ping, hit)['routes']).report).to.include({ requests: 2, hit: 2 })
    expect(Object(summaryOf(ping, hit)['routes']).report).to.include({ requests: 1, hit: 1 })
    const count = log.texts.length
    log.flush()
    expect(log.texts).to.have.length(count)
  })

  it('has a latency for a duration that is no number, negative or huge', () => {
    const log = capture()
    for (const durationMs of [-1, Number.NaN, Infinity]) log.observe(request({ durationMs }))
    log.flush()
    const { p50Ms, p99Ms } = Object(log.lines().at(-1)?.['routes']).report
    expect(p50Ms).to.equal(0.1)
    expect(p99Ms).to.be.within(818_017, 830_000)
  })
})
