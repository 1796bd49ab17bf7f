import { expect } from 'chai'
import type { Observation } from '../../src/observation.ts'
import { request, run } from './facts.ts'
import { create, read } from './scrape.ts'

/** The series of ours that the facts moved, with the values that they moved to. */
async function moved(...facts: Observation[]): Promise<Record<string, number>> {
  const metrics = create()
  const before = await read(metrics)
  facts.forEach(fact => metrics.observe(fact))
  const after = [...(await read(metrics))].filter(
    ([series, value]) =>
      series.startsWith('svodka_') &&
      !/_bucket\{/.test(series) &&
      !Object.is(before.get(series) ?? 0, value),
  )
  return Object.fromEntries(after)
}

const replica = 'one:5432'

describe('counting', () => {
  it('counts a request by route, report and status', async () => {
    expect(await moved(request({ cache: 'miss', durationMs: 20, sentBytes: 300 }))).to.deep.equal({
      'svodka_http_requests_total{route="report",report="profit_loss",status="200"}': 1,
      'svodka_http_request_duration_seconds_sum{route="report",report="profit_loss"}': 0.02,
      'svodka_http_request_duration_seconds_count{route="report",report="profit_loss"}': 1,
      'svodka_http_response_bytes_total{route="report"}': 300,
      'svodka_cache_requests_total{result="miss"}': 1,
    })
  })

  it('counts problems by code, and clients that left', async () => {
    const fact = request({ status: 503, problem: 'overloaded', aborted: true })
    expect(await moved(fact)).to.include({
      'svodka_problems_total{code="overloaded"}': 1,
      svodka_http_client_aborts_total: 1,
    })
  })

  it('counts refused requests by reason', async () => {
    const refused = request({ status: 429, problem: 'rate_limited', refusal: 'backlog' })
    const crowded = request({ status: 503, problem: 'overloaded', refusal: 'overloaded' })
    expect(await moved(refused, refused, crowded, request({}))).to.include({
      'svodka_requests_refused_total{reason="backlog"}': 2,
      'svodka_requests_refused_total{reason="overloaded"}': 1,
    })
  })

  it('shows which replicas have a role that can write', async () => {
    const found = { kind: 'write-privileges', found: 'it is a superuser', replica } as const
    const canWrite = `svodka_replica_role_can_write{replica="${replica}"}`
    expect(await moved(found)).to.deep.equal({ [canWrite]: 1 })
    expect(await moved(found, { ...found, found: undefined })).to.deep.equal({})
  })

  it('counts lines of the log that were dropped', async () => {
    expect(await moved({ kind: 'log-line-dropped' })).to.deep.equal({
      svodka_log_lines_dropped_total: 1,
    })
  })

  it('counts those that took the shortcut', async () => {
    const series = await moved(request({ shortcut: true }), request({}))
    expect(series).to.include({ svodka_http_shortcut_requests_total: 1 })
  })

  it('counts the wait of a run that waited in vain, and no time of its own', async () => {
    const fact = run({ outcome: 'unavailable', queueMs: 3000, durationMs: undefined, rowCount: 0 })
    expect(await moved(fact)).to.deep.equal({
      'svodka_runs_total{definition="profit_loss",outcome="unavailable"}': 1,
      'svodka_replica_runs_total{replica="none",outcome="unavailable"}': 1,
      svodka_run_queue_seconds_sum: 3,
      svodka_run_queue_seconds_count: 1,
    })
  })

  it('labels a report that the catalog lacks as none', async () => {
    const series = await moved(request({ report: 'made_up' }), request({ report: undefined }))
    expect(series).to.include({
      'svodka_http_requests_total{route="report",report="none",status="200"}': 2,
    })
  })

  it('counts runs, their time, wait and rows', async () => {
    const fact = run({
      replica,
      definition: 'metrics/finance',
      durationMs: 30,
      queueMs: 10,
      rowCount: 7,
    })
    expect(await moved(fact)).to.deep.equal({
      'svodka_runs_total{definition="metrics/finance",outcome="ok"}': 1,
      'svodka_replica_runs_total{replica="one:5432",outcome="ok"}': 1,
      'svodka_run_duration_seconds_sum{definition="metrics/finance"}': 0.03,
      'svodka_run_duration_seconds_count{definition="metrics/finance"}': 1,
      svodka_admission_admitted_total: 1,
      svodka_run_queue_seconds_sum: 0.01,
      svodka_run_queue_seconds_count: 1,
      'svodka_run_rows_total{definition="metrics/finance"}': 7,
    })
  })

  it('counts key checks, look-ups, their keys and their failures', async () => {
    const lookup = { kind: 'key-lookup', keyCount: 3, durationMs: 2 } as const
    expect(
      await moved(
        { kind: 'key-checked', outcome: 'locked' },
        { ...lookup, error: undefined },
        { ...lookup, error: new Error('away') },
      ),
    ).to.deep.equal({
      'svodka_key_checks_total{outcome="locked"}': 1,
      svodka_key_lookup_duration_seconds_sum: 0.004,
      svodka_key_lookup_duration_seconds_count: 2,
      svodka_key_lookup_failures_total: 1,
      svodka_key_lookup_keys_sum: 6,
      svodka_key_lookup_keys_count: 2,
    })
  })

  it('counts evictions, acquired and lost connections, drain, definitions and errors', async () => {
    expect(
      await moved(
        { kind: 'cache-evicted', reason: 'share' },
        { kind: 'connection-closed', reason: 'limit' },
        { kind: 'connection-acquired', pool: 'keys', durationMs: 5 },
        { kind: 'connection-lost', pool: 'probe', replica, error: new Error('reset') },
        { kind: 'draining', signal: 'SIGTERM', delayMs: 5000 },
        { kind: 'definitions-loaded', reportCount: 7, metricCount: 20, durationMs: 9 },
        { kind: 'process-error', error: new Error('oops') },
        { kind: 'listening', server: 'api', host: '::', port: 1 },
        { kind: 'stopped', durationMs: 1 },
      ),
    ).to.deep.equal({
      'svodka_cache_evictions_total{reason="share"}': 1,
      'svodka_http_connections_closed_total{reason="limit"}': 1,
      'svodka_db_pool_acquire_duration_seconds_sum{pool="keys"}': 0.005,
      'svodka_db_pool_acquire_duration_seconds_count{pool="keys"}': 1,
      'svodka_db_connections_lost_total{pool="probe",replica="one:5432"}': 1,
      svodka_draining: 1,
      'svodka_definitions_loaded{kind="report"}': 7,
      'svodka_definitions_loaded{kind="metric"}': 20,
      svodka_process_errors_total: 1,
    })
  })

  it('counts runs made once more, and each time that a way to a replica broke', async () => {
    const error = new Error('reset')
    const retry = { kind: 'run-retried', replica, definition: 'profit_loss', error } as const
    const circuit = { kind: 'circuit', replica, error } as const
    expect(
      await moved(
        { ...retry, reason: 'conflict' },
        { kind: 'run-spared', definition: 'profit_loss' },
        { ...circuit, state: 'open' },
        { ...circuit, state: 'half-open' },
        { ...circuit, state: 'open' },
      ),
    ).to.deep.equal({
      'svodka_runs_spared_total{definition="profit_loss"}': 1,
      'svodka_run_retries_total{replica="one:5432",reason="conflict"}': 1,
      'svodka_replica_circuit_open{replica="one:5432"}': 1,
      'svodka_replica_circuit_openings_total{replica="one:5432"}': 1,
    })
  })

  it('shows what the probe saw', async () => {
    const state = {
      inRecovery: true,
      usable: true,
      dataAsOf: '2026-11-21T10:00:00.500Z',
      lagSeconds: 0,
      replayPaused: false,
    }
    expect(await moved({ kind: 'replica-probed', replica, state })).to.deep.equal({
      'svodka_replica_up{replica="one:5432"}': 1,
      'svodka_replica_usable{replica="one:5432"}': 1,
      'svodka_replica_in_recovery{replica="one:5432"}': 1,
      'svodka_replica_replay_paused{replica="one:5432"}': 0,
      'svodka_replica_lag_seconds{replica="one:5432"}': 0,
      'svodka_replica_data_as_of_timestamp_seconds{replica="one:5432"}':
        Date.parse(state.dataAsOf) / 1000,
      'svodka_replica_probe_timestamp_seconds{replica="one:5432"}': 1_700_000_000,
    })
  })

  it('shows lag that is unknown as NaN: before a probe, in a probe, after a failed one', async () => {
    const metrics = create()
    const lag = async (): Promise<number | undefined> =>
      (await read(metrics)).get('svodka_replica_lag_seconds{replica="one:5432"}')
    const state = { inRecovery: true, usable: true, dataAsOf: undefined, replayPaused: false }
    expect(await lag()).to.deep.equal(Number.NaN)
    metrics.observe({ kind: 'replica-probed', replica, state: { ...state, lagSeconds: 3 } })
    expect(await lag()).to.equal(3)
    metrics.observe({ kind: 'replica-probed', replica, state: { ...state, lagSeconds: undefined } })
    expect(await lag()).to.deep.equal(Number.NaN)
    metrics.observe({ kind: 'replica-probed', replica, state: { ...state, lagSeconds: 3 } })
    metrics.observe({ kind: 'replica-probe-failed', replica, error: new Error('away') })
    expect(await lag()).to.deep.equal(Number.NaN)
    expect(Object.fromEntries(await read(metrics))).to.include({
      'svodka_replica_up{replica="one:5432"}': 0,
      'svodka_replica_probe_failures_total{replica="one:5432"}': 1,
    })
  })

  it('never throws: a fact that cannot be counted is counted as an error', async () => {
    expect(
      await moved(
        request({ sentBytes: Number.NaN }),
        request({ durationMs: -1 }),
        run({ rowCount: Number.POSITIVE_INFINITY }),
        { kind: 'key-lookup', keyCount: -1, durationMs: 1, error: undefined },
        { kind: 'connection-acquired', pool: 'keys', durationMs: Number.NaN },
      ),
    ).to.deep.equal({ svodka_process_errors_total: 5 })
  })

  it('makes no label of what is not in its closed set, and counts nothing of such a fact', async () => {
    const madeUp = 'made up' as never
    expect(
      await moved(
        request({ route: madeUp }),
        request({ status: 20 }),
        request({ status: 200.5 }),
        request({ problem: madeUp }),
        request({ cache: madeUp }),
        { kind: 'key-checked', outcome: madeUp },
      ),
    ).to.deep.equal({ svodka_process_errors_total: 6 })
  })
})
