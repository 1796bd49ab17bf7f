// Every query of the dashboard is executed by Prometheus, which scrapes a gateway with a load of every kind.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '../../src/demo/ports.ts'
import { asker, type Ask } from '../harness/ask.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { ready, startProcess, type GatewayProcess } from '../harness/process.ts'
import { startProxy, type Proxy } from '../harness/proxy.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { graphsOf, readDashboard } from './dashboard.ts'

const REPORTS = [
  'finance/profit_loss',
  'deals/deals_by_source',
  'warehouse/stock_balance',
  'finance/receivables',
]
const NO_CACHE = { headers: { 'Cache-Control': 'no-cache' } }
/** As Grafana replaces it, four scrapes. */
const RATE_INTERVAL = '4s'

/** Definitions whose cached responses are stale after a second. */
function staleSoon(): string {
  const folder = temporaryFolder()
  cpSync('sql', folder, { recursive: true })
  for (const name of REPORTS) {
    const file = join(folder, 'reports', `${name}.sql`)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/^fresh: .*$/m, 'fresh: { open: 1s, closed: 1s }'))
  }
  return folder
}

interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

describe('each query of the dashboard returns data', () => {
  const dashboard = readDashboard()
  const children: ChildProcess[] = []
  let gateway: GatewayProcess
  let proxy: Proxy
  let api: string
  let prometheusUrl: string

  before(async function () {
    const cluster = await sharedCluster()
    proxy = await startProxy(cluster.urlFor('svodka_reports', 'replica'))
    gateway = startProcess('serve', {
      DATABASE_URL: proxy.url,
      KEYS_DATABASE_URL: cluster.urlFor('svodka_keys', 'primary'),
      PROBE_DATABASE_URL: cluster.urlFor('svodka_probe', 'replica'),
      SQL_DIR: staleSoon(),
    })
    children.push(gateway.child)
    const { url, opsUrl } = await ready(gateway)
    api = url
    prometheusUrl = await startPrometheus(this, new URL(opsUrl).host)
  })
  after(async () => {
    for (const child of children.filter(({ exitCode }) => exitCode === null)) {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    }
    await proxy?.cut()
  })

  async function startPrometheus(context: Mocha.Context, target: string): Promise<string> {
    const folder = temporaryFolder()
    const settings = {
      global: { scrape_interval: '1s', scrape_timeout: '1s' },
      scrape_configs: [{ job_name: 'svodka', static_configs: [{ targets: [target] }] }],
    }
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(settings))
    const address = `127.0.0.1:${await freePort()}`
    const child = spawn(
      'prometheus',
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=${address}`,
      ],
      { stdio: 'ignore' },
    )
    const start = await once(child, 'spawn').catch(() => undefined)
    if (start === undefined) skip(context, 'there is no prometheus: install prometheus')
    children.push(child)
    await until(async () => (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok)
    return `http://${address}`
  }

  async function query(expr: string): Promise<Series[]> {
    const replaced = expr
      .replaceAll('$__rate_interval', RATE_INTERVAL)
      .replaceAll(/"\$(?:instance|report)"/g, '".*"')
    const body = new URLSearchParams({ query: replaced })
    const response = await fetch(`${prometheusUrl}/api/v1/query`, { method: 'POST', body })
    const { status, error, data } = (await response.json()) as {
      readonly status: string
      readonly error?: string
      readonly data: { readonly result: Series[] }
    }
    expect(status, `${replaced}: ${error}`).to.equal('success')
    return data.result
  }

  /** Hits, misses, 304, errors, disconnects, wrong keys, metrics, and an execution that is refused a row too many. */
  async function load(ask: Ask, round: number): Promise<void> {
    const [report = ''] = REPORTS[round % REPORTS.length]!.split('/').slice(1)
    const day = `2026-${String(1 + (round % 12)).padStart(2, '0')}-01`
    const { headers } = await ask(`/reports/${report}`)
    const abort = AbortSignal.timeout(1)
    await Promise.all([
      ask(`/reports/${report}`),
      ask(`/reports/${report}`, NO_CACHE),
      ask(`/reports/${report}`, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } }),
      ask(`/reports/${report}.csv?from=${day}`),
      ask('/metrics?codes=income,profit'),
      ask('/ping', { key: 'sk_unknown' }),
      ask('/reports/nothing'),
      fetch(`${api}/api/public/v1/reports/${report}.xlsx?to=${day}`, {
        headers: { 'X-Api-Key': 'sk_demo_large' },
        signal: abort,
      }).catch(() => undefined),
    ])
  }

  it('after a load with a fault', async () => {
    const ask = asker(api, 'sk_demo_business')
    const large = asker(api, 'sk_demo_large')
    const pending = new Map<string, string>()
    for (const { title, targets = [] } of graphsOf(dashboard))
      for (const { refId, expr } of targets) pending.set(`${title} ${refId}`, expr)
    for (const { expr } of dashboard.annotations.list)
      pending.set('annotation', `${expr} or vector(0)`)
    expect(pending.size).to.be.above(90)
    // why: in every third of the rounds, executions fail and stale responses are sent
    for (let round = 0; round < 60 && pending.size > 0; round++) {
      if (round % 9 === 6) await proxy.cut()
      if (round % 9 === 0 && round > 0) await proxy.mend()
      await Promise.all([load(ask, round), load(large, round)])
      if (round % 3 !== 2) continue
      for (const [name, expr] of pending) {
        const values = (await query(expr)).map(({ value }) => Number(value[1]))
        // why: without TLS, the expiry of a certificate is NaN
        const isOfTls = name.startsWith('Certificates of servers')
        if (values.some(value => isOfTls || Number.isFinite(value))) pending.delete(name)
      }
      await new Promise(resolve => setTimeout(resolve, 300))
    }
    expect([...pending.keys()]).to.deep.equal([])
  })

  it('its variables have values', async () => {
    const [, instances, reports] = dashboard.templating.list
    for (const [variable, count] of [
      [instances!, 1],
      [reports!, 20],
    ] as const) {
      const [, selector = '', label = ''] =
        /^label_values\((.*), (\w+)\)$/.exec(variable.definition ?? '') ?? []
      const found = await query(`count by (${label}) (${selector})`)
      expect(found.length, variable.name).to.be.at.least(count)
      for (const { metric } of found) expect(metric[label]).to.be.a('string')
    }
  })
})
