import { expect } from 'chai'
import { PROBLEMS } from '../../src/errors.ts'
import type { ProblemCode } from '../../src/errors.ts'
import { capture, failure } from './capture.ts'
import { request } from './facts.ts'

describe('requests in the log', () => {
  it('have a line each if they missed, failed, were slow or were left', () => {
    const log = capture()
    log.observe(request({ cache: 'miss', durationMs: 12.34 }))
    log.observe(request({ status: 400, problem: 'bad_range' }))
    log.observe(request({ cache: 'hit', durationMs: 1000 }))
    log.observe(request({ cache: 'collapsed', aborted: true }))
    expect(log.lines().map(({ level, msg }) => `${String(level)}: ${String(msg)}`)).to.deep.equal([
      'info: GET report profit_loss 200 miss',
      'info: GET report profit_loss 400 bad_range',
      'warn: GET report profit_loss 200 hit',
      'info: GET report profit_loss 200 collapsed',
    ])
    expect(log.lines()[0]).to.include({
      requestId: 'r-1',
      organizationId: 'o-1',
      status: 200,
      cache: 'miss',
      durationMs: 12.3,
      sentBytes: 10,
    })
  })

  it('are counted by route in a summary, hits in it alone', () => {
    const log = capture()
    for (let count = 0; count < 98; count++) log.observe(request({ cache: 'hit', durationMs: 2 }))
    log.observe(request({ cache: 'stale', durationMs: 50 }))
    log.observe(request({ cache: 'collapsed', durationMs: 50 }))
    log.observe(request({ route: 'ping', report: undefined, durationMs: 0 }))
    log.pass(60)
    expect(log.texts).to.deep.equal([])
    log.flush()
    const [line] = log.lines()
    expect(line).to.deep.include({ msg: 'requests of 60 s', seconds: 60, requests: 101 })
    expect(line?.['routes']).to.deep.include({ ping: { requests: 1, p50Ms: 0.1, p99Ms: 0.1 } })
    const { p50Ms, p99Ms, ...counts } = Object(Object(line?.['routes']).report)
    expect(counts).to.deep.equal({ requests: 100, hit: 98, collapsed: 1, stale: 1 })
    expect(p50Ms).to.be.within(2, 2.2)
    expect(p99Ms).to.be.within(50, 55)
  })

  it('are counted anew after each summary, whatever the order of their routes', () => {
    const log = capture()
    const summaryOf = (...routes: ('report' | 'metrics')[]): unknown => {
      for (const route of routes) log.observe(request({ route, cache: 'hit' }))
      log.flush()
      const { report, metrics } = Object(log.lines().at(-1)?.['routes'])
      return { report: report?.hit, metrics: metrics?.hit }
    }
    expect(summaryOf('report', 'metrics', 'report')).to.deep.equal({ report: 2, metrics: 1 })
    expect(summaryOf('report')).to.deep.equal({ report: 1, metrics: undefined })
    expect(summaryOf('metrics', 'report')).to.deep.equal({ report: 1, metrics: 1 })
  })

  it('make no summary where there were none', () => {
    const log = capture()
    log.observe(request({}))
    log.flush()
    log.flush()
    expect(log.texts).to.have.lengthOf(1)
  })

  it('have a line each and no summary if all are asked for', () => {
    const log = capture({ requests: 'all' })
    log.observe(request({ cache: 'hit' }))
    log.observe(request({ route: 'ping', report: undefined }))
    log.flush()
    expect(log.messages()).to.deep.equal(['GET report profit_loss 200 hit', 'GET ping 200'])
  })

  it('have the cause of a 5xx, with its stack and what PostgreSQL says of it', () => {
    const log = capture()
    const conflict = failure('canceling statement due to conflict with recovery', {
      code: '40001',
      severity: 'ERROR',
      detail: 'User query might have needed to see row versions that must be removed.',
    })
    const cause = new Error('the run failed', { cause: conflict })
    log.observe(request({ status: 503, problem: 'replica_unavailable', cause }))
    const line = log.lines()[0]
    expect(line?.['level']).to.equal('error')
    const err = Object(line?.['err'])
    expect(err.message).to.equal('the run failed')
    expect(err.stack).to.contain('request-lines.test')
    expect(err.cause).to.include({ code: '40001', severity: 'ERROR' })
    expect(err.cause.detail).to.match(/^User query/)
  })

  it('come once in 30 s for each problem and organization, with the number left out', () => {
    for (const problem of Object.keys(PROBLEMS) as ProblemCode[]) {
      const log = capture()
      const { status } = PROBLEMS[problem]
      const refused = request({ status, problem, organizationId: undefined, report: undefined })
      for (let second = 0; second < 31; second += 1) {
        log.observe(refused)
        log.observe({ ...refused, organizationId: 'o-2' })
        log.pass(1)
      }
      const lines = log.lines().map(line => [line['organizationId'], line['omitted']])
      expect(lines, problem).to.deep.equal([
        [undefined, undefined],
        ['o-2', undefined],
        [undefined, 29],
        ['o-2', 29],
      ])
    }
  })

  it('come once in 30 s for clients of an organization that disconnect', () => {
    const log = capture()
    for (let count = 0; count < 1000; count++) log.observe(request({ aborted: true }))
    expect(log.lines()).to.have.lengthOf(1)
  })

  it('tell with the summary and at the end how many were left out', () => {
    const log = capture()
    const refused = request({ status: 429, problem: 'rate_limited', refusal: 'requests' })
    for (let count = 0; count < 26; count++) log.observe(refused)
    log.flush()
    expect(log.lines()[1]).to.deep.include({
      level: 'warn',
      organizationId: 'o-1',
      problem: 'rate_limited',
      reason: 'requests',
      omitted: 25,
      msg: '25 more requests: rate_limited',
    })
    for (let count = 0; count < 3; count++) log.observe(refused)
    log.close()
    const told = log.messages().filter(message => String(message).includes('more requests'))
    expect(told.slice(1)).to.deep.equal(['3 more requests: rate_limited'])
  })

  it('do not hide a refusal behind one for another reason', () => {
    const log = capture()
    for (const refusal of ['requests', 'budget', 'backlog', 'requests'] as const) {
      log.observe(request({ status: 429, problem: 'rate_limited', refusal }))
    }
    const reasons = log.lines().map(({ reason }) => reason)
    expect(reasons).to.deep.equal(['requests', 'budget', 'backlog'])
  })

  it('name the organization that is refused, and why', () => {
    const log = capture()
    log.observe(request({ status: 429, problem: 'rate_limited', refusal: 'backlog' }))
    log.observe(request({ status: 503, problem: 'overloaded', refusal: 'overloaded' }))
    expect(log.lines()[0]).to.include({ level: 'warn', organizationId: 'o-1', reason: 'backlog' })
    expect(log.lines()[1]).to.include({ organizationId: 'o-1', reason: 'overloaded' })
  })

  it('say of a refusal what it was decided by and when to retry, without a stack', () => {
    const log = capture()
    const cause = new Error('backlog after 0 ms: the organization has 2 executing of 2, 64 waiting')
    const refused = { cause, retryAfterSeconds: 7 }
    log.observe(request({ ...refused, status: 429, problem: 'rate_limited', refusal: 'backlog' }))
    log.observe(request({ ...refused, status: 503, problem: 'overloaded', refusal: 'overloaded' }))
    for (const line of log.lines()) {
      expect(line).to.include({ refusal: cause.message, retryAfterSeconds: 7 })
      expect(line).not.to.have.property('err')
    }
    expect(log.texts.join('')).not.to.contain('.test.')
  })

  it('have one for what fails alike in a report of an organization', () => {
    const log = capture()
    const cause = failure('permission denied', { code: '42501' })
    const failed = request({ status: 500, problem: 'internal_error', cause })
    for (const fact of [failed, failed, { ...failed, organizationId: 'o-2' }]) log.observe(fact)
    log.observe({ ...failed, report: 'deals_lost' })
    log.observe({ ...failed, cause: failure('no table', { code: '42P01' }) })
    expect(log.lines()).to.have.length(4)
    log.pass(30)
    log.observe(failed)
    expect(log.lines().at(-1)).to.include({ omitted: 1 })
  })

  it('have no cause below 500', () => {
    const log = capture()
    log.observe(request({ status: 400, problem: 'bad_range', cause: new Error('x') }))
    expect(log.lines()[0]).not.to.have.property('err')
  })
})
