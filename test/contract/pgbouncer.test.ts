// The gateway with a real pooler, as in config/README.md: three roles, transaction mode.
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { createStop } from '../../src/model/stop.ts'
import { POOLS, type PoolName } from '../../src/model/observation.ts'
import type { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { asker } from '../harness/ask.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { needsPgBouncer, startPgBouncer, type PgBouncer } from '../harness/pgbouncer.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { reasonOf } from '../database/execute.ts'
import { connected, readAll } from '../database/rows.ts'

describe('a gateway behind PgBouncer', () => {
  let cluster: Cluster
  let pgBouncer: PgBouncer | undefined

  const serverUrl = (pool: PoolName): string => cluster.urlFor(`svodka_${pool}`, 'replica')

  before(async function () {
    needsPgBouncer(this)
    cluster = await sharedCluster()
    const serverUrls = POOLS.map(serverUrl)
    pgBouncer = await startPgBouncer({ mode: 'transaction', serverUrls, poolSize: 2 })
  })
  after(() => pgBouncer?.stop())

  const PATHS = ['/metrics', '/reports/profit_loss', '/reports/operations', '/reports/deals_lost']

  async function responsesOf(gateway: TestGateway): Promise<unknown[]> {
    const ask = asker(gateway.url, 'sk_demo_business')
    const responses = await Promise.all(PATHS.map(path => ask(path)))
    return responses.map(({ status, json }) => [status, json])
  }

  it('responds as without PgBouncer', async () => {
    const direct = await startGateway({}, { database: 'demo' })
    const pooled = await startGateway(
      {
        DATABASE_URL: pgBouncer!.urlFor(serverUrl('reports')),
        KEYS_DATABASE_URL: pgBouncer!.urlFor(serverUrl('keys')),
        PROBE_DATABASE_URL: pgBouncer!.urlFor(serverUrl('probe')),
      },
      { database: 'demo' },
    )
    try {
      const responses = await responsesOf(pooled)
      expect(responses).to.deep.equal(await responsesOf(direct))
      expect(responses.map(response => (response as unknown[])[0])).to.deep.equal([
        200, 200, 200, 200,
      ])
      for (let time = 0; time < 3; time++) {
        const ask = asker(pooled.url, 'sk_demo_business')
        const headers = { 'Cache-Control': 'no-cache' }
        expect((await ask('/reports/profit_loss', { headers })).status).to.equal(200)
      }
      const detected = pooled.observations.flatMap(fact =>
        fact.kind === 'pooler-detected' ? [fact.pool] : [],
      )
      expect(detected).to.have.members(POOLS)
      expect(direct.observations.some(fact => fact.kind === 'pooler-detected')).to.equal(false)
    } finally {
      await Promise.all([direct.stop(), pooled.stop()])
    }
    const preparedStatements = 'select name from pg_prepared_statements'
    expect(await run(pgBouncer!.urlFor(serverUrl('reports')), preparedStatements)).to.deep.equal([])
  })
})

const SLEEPING = 'select pg_sleep(60)'

// The pooler, not the gateway, closes the session of the server.
describe('a statement behind PgBouncer', () => {
  let cluster: Cluster
  let pgBouncer: PgBouncer | undefined
  const clients: DatabaseClient[] = []

  before(async function () {
    needsPgBouncer(this)
    cluster = await sharedCluster()
    const serverUrls = [cluster.urlFor('svodka_reports', 'replica')]
    pgBouncer = await startPgBouncer({ mode: 'transaction', serverUrls, poolSize: 1 })
  })
  after(() => pgBouncer?.stop())
  afterEach(() => Promise.all(clients.splice(0).map(client => client.end())))

  async function connect(): Promise<DatabaseClient> {
    const url = pgBouncer!.urlFor(cluster.urlFor('svodka_reports', 'replica'))
    const client = await connected(url)
    clients.push(client)
    return client
  }

  /** Resolves once the server executes that number of statements. */
  async function untilAsleep(count: 0 | 1): Promise<void> {
    const asleep = `select from pg_stat_activity where state = 'active' and query = '${SLEEPING}'`
    await until(async () => (await run(cluster.replicaUrl, asleep)).length === count)
  }

  it('ends when it is aborted', async () => {
    const stop = createStop()
    const aborted = reasonOf(readAll(await connect(), SLEEPING, { stop }))
    await untilAsleep(1)
    stop.stop(new Error('aborted'))
    expect(await aborted).to.equal(stop.reason)
    await untilAsleep(0)
  })
})
