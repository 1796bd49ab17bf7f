import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import type { Gauges } from '../../src/gauges.ts'
import { ROUTES } from '../../src/observation.ts'
import { METRIC_TABLE } from '../../src/observability/metric-table.ts'
import { request, run } from './facts.ts'
import { create, read } from './scrape.ts'

const failing: Gauges = {
  replicas: [],
  cache: () => {
    throw new Error('closed')
  },
  pools: () => {
    throw new Error('closed')
  },
  keyDatabases: () => {
    throw new Error('closed')
  },
  inFlight: () => {
    throw new Error('closed')
  },
  queueLength: () => {
    throw new Error('closed')
  },
  invalidAccessRowCount: () => {
    throw new Error('closed')
  },
  unread: () => {
    throw new Error('closed')
  },
}

describe('metrics', () => {
  it('reads cache, pools and requests in flight at the moment of a scrape', async () => {
    expect(Object.fromEntries(await read(create()))).to.include({
      svodka_http_requests_in_flight: 5,
      svodka_access_rows_invalid: 3,
      svodka_cache_bytes: 1000,
      svodka_cache_max_bytes: 4000,
      svodka_cache_entries: 3,
      svodka_spool_bytes: 7000,
      svodka_http_unread_bytes: 300,
      'svodka_db_pool_connections{pool="reports",replica="one:5432",state="in_use"}': 2,
      'svodka_db_pool_connections{pool="reports",replica="one:5432",state="idle"}': 1,
      'svodka_db_pool_max_connections{pool="keys",replica="one:5432"}': 8,
      'svodka_db_pool_waiters{pool="probe",replica="one:5432"}': 4,
      'svodka_key_database_usable{replica="one:5432"}': 1,
      'svodka_key_database_lag_seconds{replica="one:5432"}': 2.5,
      'svodka_key_database_circuit_open{replica="two:5432"}': 1,
      'svodka_key_database_usable{replica="two:5432"}': 0,
    })
  })

  it('answers a scrape though a gauge throws', async () => {
    const series = await read(create({ gauges: failing }))
    expect(series.get('svodka_cache_bytes')).to.deep.equal(Number.NaN)
    expect(series.get('svodka_draining')).to.equal(0)
  })

  it('has every known label set from the start, at 0', async () => {
    const series = await read(create())
    for (const route of ROUTES) {
      expect(
        series.get(`svodka_http_requests_total{route="${route}",report="none",status="200"}`),
      ).to.equal(0)
    }
    expect(Object.fromEntries(series)).to.include({
      'svodka_http_requests_total{route="report",report="cash_flow",status="504"}': 0,
      'svodka_http_request_duration_seconds_count{route="report",report="cash_flow"}': 0,
      'svodka_problems_total{code="replica_unavailable"}': 0,
      'svodka_requests_refused_total{reason="budget"}': 0,
      'svodka_cache_requests_total{result="stale"}': 0,
      'svodka_cache_evictions_total{reason="expired"}': 0,
      'svodka_runs_total{definition="cash_flow",outcome="timeout"}': 0,
      'svodka_key_checks_total{outcome="missing"}': 0,
      'svodka_db_connections_lost_total{pool="reports",replica="one:5432"}': 0,
      svodka_draining: 0,
      [`svodka_build_info{version="1.2.3",node_version="${process.version}",revision="unknown"}`]: 1,
    })
    const families = [...series.keys()].map(name =>
      name.replace(/_(?:bucket|sum|count)?(?:\{.*)?$/, ''),
    )
    expect(families.join(' ')).to.contain('nodejs_eventloop_lag').and.contain('process_cpu')
  })

  it('has no organization, key or error text in it', async () => {
    const metrics = create()
    const error = new Error('secret-text')
    metrics.observe(
      request({ organizationId: 'secret-organization', cause: error, requestId: 'secret-id' }),
    )
    metrics.observe(run({ outcome: 'error', error, definition: 'secret-name' }))
    metrics.observe({ kind: 'key-lookup', keyCount: 1, durationMs: 1, error })
    metrics.observe({ kind: 'replica-probe-failed', error })
    expect((await metrics.exposition()).text).not.to.contain('secret')
  })

  it('registers just what the table says', async () => {
    const { text } = await create().exposition()
    const types = [...text.matchAll(/^# TYPE (svodka_\w+) (\w+)$/gm)].map(match => match.slice(1))
    expect(Object.fromEntries(types)).to.deep.equal(
      Object.fromEntries(Object.entries(METRIC_TABLE).map(([name, { kind }]) => [name, kind])),
    )
  })

  it('stays under 2,000 series with 28 reports', async () => {
    const reports = Array.from({ length: 28 }, (_, index) => `report_${index}`)
    const areas = Array.from({ length: 9 }, (_, index) => `metrics/area_${index}`)
    const metrics = create({ catalogNames: { reports, definitions: [...reports, ...areas] } })
    expect((await read(metrics)).size).to.be.below(2000)
  })

  it('takes names that come later, and keeps what it has counted', async () => {
    const metrics = create()
    const seriesOf = (report: string) =>
      `svodka_http_requests_total{route="report",report="${report}",status="200"}`
    metrics.observe(request({ report: 'profit_loss' }))
    metrics.addNames({ reports: ['profit_loss', 'new'], definitions: ['profit_loss', 'new'] })
    const added = Object.fromEntries(await read(metrics))
    expect(added).to.include({ [seriesOf('profit_loss')]: 1, [seriesOf('new')]: 0 })
    expect(added).to.include({ 'svodka_runs_total{definition="new",outcome="ok"}': 0 })
    metrics.observe(request({ report: 'new' }))
    expect((await read(metrics)).get(seriesOf('new'))).to.equal(1)
  })

  it("passes promtool's check", async function () {
    this.timeout(60_000)
    const metrics = create()
    metrics.observe(request({}))
    const { contentType, text } = await metrics.exposition()
    expect(contentType).to.match(/^text\/plain; version=0\.0\.4/)
    const promtool = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    if (promtool.error !== undefined) {
      process.stderr.write('      promtool is missing (Debian package prometheus): NOT CHECKED\n')
      this.skip()
    }
    expect(promtool.stdout + promtool.stderr).to.equal('')
    expect(promtool.status).to.equal(0)
  })
})
