import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { EXECUTION_OUTCOMES } from '../../src/model/observation.ts'
import { labelValues, METRIC_TABLE } from '../../src/serve/observe/metric-table.ts'
import { failure, GAUGES, metricsOf, problem, read, request, run } from './observed.ts'
import { skip } from '../harness/skip.ts'

const REPORT_STATUSES = [200, 206, 304, 400, 401, 402, 429, 499, 500, 503, 504]
const ZEROS = [
  'replica_up one:5432',
  'replica_circuit_open one:5432',
  'draining',
  'ready not draining',
]

describe('the exposition', () => {
  it('has every known label set from the start, at 0, and unknown values as NaN', async () => {
    const series = await read(metricsOf())
    const at = (value: number): string[] =>
      [...series]
        .filter(([name, found]) => Object.is(found, value) && !/_(?:bucket|sum)\b/.test(name))
        .map(([name]) => name)
    const zeros = at(0)
    const counted = Object.entries(METRIC_TABLE).filter(([, { kind }]) => kind !== 'gauge')
    for (const [metric, { kind, labels }] of counted) {
      const name = metric.replace('svodka_', '') + (kind === 'histogram' ? '_count' : '')
      const isOf = (each: string): boolean => each.split(' ')[0] === name
      expect(zeros.filter(isOf), name).to.deep.equal([...series.keys()].filter(isOf))
      expect(zeros.some(isOf), name).to.equal(true)
      for (const value of labels.flatMap(label => labelValues(metric, label) ?? [])) {
        const has = (each: string): boolean => isOf(each) && each.split(' ').includes(value)
        expect(zeros.some(has), `${name} ${value}`).to.equal(true)
      }
    }
    expect(zeros).to.include.members([
      ...REPORT_STATUSES.map(status => `http_requests_total report cash_flow ${status}`),
      'runs_total metrics/finance ok',
      'replica_runs_total none ok',
      ...ZEROS,
    ])
    const unknown = ['usable', 'in_recovery', 'replay_paused', 'lag_seconds']
    expect(at(Number.NaN)).to.have.members([
      ...[...unknown, 'data_as_of_timestamp_seconds'].map(name => `replica_${name} one:5432`),
      ...['reports', 'probe'].map(
        pool => `db_certificate_expiry_timestamp_seconds ${pool} one:5432`,
      ),
      'key_database_lag_seconds two:5432',
    ])
  })

  it('reads cache, pools and requests in flight at a scrape', async () => {
    const series = Array.from(await read(metricsOf()), ([name, value]) => `${name} ${value}`)
    const expected = `
      http_requests_in_flight 5, admission_queue_length 6, access_rows_invalid 3,
      cache_bytes 1000, cache_max_bytes 4000, cache_entries 3, cache_alias_bytes 500,
      spool_bytes 7000, spool_max_bytes 9000, http_unread_bytes 300,
      ready keys 1, definitions_refused 2, busiest_organization_ratio 0.75,
      definition_timeout_seconds metrics/finance 5, definition_max_rows profit_loss 500,
      db_pool_connections reports one:5432 in_use 2, db_pool_connections reports one:5432 idle 1,
      db_pool_max_connections keys one:5432 8, db_pool_waiters probe one:5432 4,
      key_database_usable one:5432 1, key_database_lag_seconds one:5432 2.5,
      key_database_circuit_open two:5432 1, build_info 1.2.3 ${process.version} unknown 1`
    expect(series).to.include.members(expected.split(',').map(each => each.trim()))
  })

  it('responds to a scrape if each gauge throws, with unknown values', async () => {
    const closed = (): never => {
      throw new Error('closed')
    }
    const gauges = { ...GAUGES }
    const metrics = metricsOf(gauges)
    for (const name of Object.keys(gauges)) Object.assign(gauges, { [name]: closed })
    const series = await read(metrics)
    const unknown =
      'http_requests_in_flight admission_queue_length access_rows_invalid cache_bytes cache_max_bytes cache_entries cache_alias_bytes spool_bytes spool_max_bytes http_unread_bytes definitions_refused busiest_organization_ratio'
    for (const name of unknown.split(' ')) {
      expect(series.get(name), name).to.deep.equal(Number.NaN)
    }
    const ofDatabases = [...series.keys()].filter(name =>
      /^(?:db_pool_[cmw]|key_data|ready|definition_)/.test(name),
    )
    expect(ofDatabases).to.deep.equal([])
    expect(series.get('draining')).to.equal(0)
  })

  it('adds names later, with any characters, and retains its counts', async () => {
    const odd = 'q"\\\nz'
    let definitions = GAUGES.definitions()
    const metrics = metricsOf({ ...GAUGES, definitions: () => definitions })
    metrics.observe(request({ report: 'profit_loss' }))
    definitions = [...definitions, { name: odd, timeoutMs: 1, maxRows: 1 }]
    metrics.observe({ kind: 'definitions-loaded', reportCount: 3, metricCount: 0, durationMs: 1 })
    metrics.observe(request({ report: odd }))
    const escaped = String.raw`q\"\\\nz`
    expect(Object.fromEntries(await read(metrics))).to.include({
      'http_requests_total report profit_loss 200': 1,
      [`http_requests_total report ${escaped} 200`]: 1,
      [`http_requests_total report ${escaped} 504`]: 0,
      [`runs_total ${escaped} ok`]: 0,
    })
  })

  it('has no organization, key or error text in it', async () => {
    const metrics = metricsOf()
    const error = failure('secret-text')
    const secrets = { organizationId: 'secret-organization', requestId: 'secret-id' }
    metrics.observe(problem(500, 'internal_error', { ...secrets, cause: error }))
    metrics.observe(run({ outcome: 'error', error }))
    metrics.observe({ kind: 'key-lookup', keyCount: 1, durationMs: 1, error })
    metrics.observe({ kind: 'replica-probe-failed', error })
    expect((await metrics.exposition()).text).not.to.contain('secret')
  })

  it('has exactly the metrics of the table and of Node, and at most 60 series for each definition', async () => {
    const metrics = metricsOf()
    for (const status of REPORT_STATUSES) metrics.observe(request({ status }))
    for (const outcome of EXECUTION_OUTCOMES) metrics.observe(run({ outcome }))
    const { text } = await metrics.exposition()
    const types = [...text.matchAll(/^# TYPE (svodka_\w+) (\w+)$/gm)].map(match => match.slice(1))
    expect(Object.fromEntries(types)).to.deep.equal(
      Object.fromEntries(Object.entries(METRIC_TABLE).map(([name, { kind }]) => [name, kind])),
    )
    expect(text).to.contain('nodejs_eventloop_lag').and.contain('process_cpu')
    const series = text.split('\n').filter(line => /^\w/.test(line))
    const ofDefinition = series.filter(line => line.includes('"profit_loss"'))
    expect(ofDefinition.length).to.be.within(40, 60)
    const ofNone = series.filter(line => !/(?:report|definition)="(?!none)/.test(line))
    expect(ofNone.length).to.be.below(1000)
  })

  it("passes promtool's check", async function () {
    const metrics = metricsOf()
    metrics.observe(request())
    const { contentType, text } = await metrics.exposition()
    expect(contentType).to.match(/^text\/plain; version=0\.0\.4/)
    const promtool = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    if (promtool.error !== undefined) {
      skip(this, 'there is no promtool: install prometheus')
    }
    expect(promtool.stdout + promtool.stderr).to.equal('')
    expect(promtool.status).to.equal(0)
  })
})
