// What each kind of connection is through a real pooler: nothing prepared and nothing set.
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { POOLS, type Observation, type PoolName } from '../../src/observation.ts'
import { createKeyDatabase } from '../../src/replica/key-database.ts'
import { createPool, type Server } from '../../src/replica/pool.ts'
import { createProbe } from '../../src/replica/probe.ts'
import type { Reading } from '../../src/replica/replica-run.ts'
import { createReplica } from '../../src/replica/replica.ts'
import { roleSettings } from '../../src/replica/session-settings.ts'
import { sharedCluster } from '../support/cluster.ts'
import { needsPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { run as runSql } from '../support/shops.ts'
import { ourCatalog } from '../sql/subject.ts'
import { hex, keepingSink, type HexRow } from './rows.ts'

const now = (): number => performance.now()

for (const mode of ['transaction', 'session'] as const) {
  describe(`behind PgBouncer in ${mode} mode`, function () {
    this.timeout(30_000)
    let cluster: Cluster
    let pgBouncer: PgBouncer | undefined
    let observations: Observation[]
    const observe = (fact: Observation): void => void observations.push(fact)

    const serverUrl = (pool: PoolName): string => cluster.urlFor(`svodka_${pool}`, 'replica')
    const pooledUrl = (pool: PoolName): string => pgBouncer!.urlFor(serverUrl(pool))

    before(async function () {
      needsPgBouncer(this)
      cluster = await sharedCluster()
      const serverUrls = POOLS.map(serverUrl)
      // why: one connection to the server for each role, so that whoever comes next finds what was left
      pgBouncer = await startPgBouncer({ mode, serverUrls, poolSize: 1 })
    })
    beforeEach(() => {
      observations = []
    })
    after(() => pgBouncer?.stop())

    const met = () =>
      observations.flatMap(fact => (fact.kind === 'pooler-met' ? [[fact.pool, fact.lacking]] : []))

    async function inSession(pool: PoolName, sql: string): Promise<object[]> {
      return runSql<object>(pooledUrl(pool), sql)
    }

    for (const name of POOLS) {
      it(`a connection of ${name} is known as pooled, and its session is left as it was`, async () => {
        const servers: Server[] = []
        const pool = createPool({
          name,
          connectionString: pooledUrl(name),
          max: 1,
          connectTimeoutMs: 5000,
          observe,
          accept: server => void servers.push(server),
        })
        const client = await pool.connect()
        client.release()
        await pool.end()
        expect(servers).to.have.lengthOf(1)
        expect(servers[0]).to.include({ inRecovery: true, isPooled: true })
        expect(met(), 'what its role lacks').to.deep.equal([[name, []]])
        // why: these two PgBouncer itself sets, to what each of its clients has
        const names = Object.keys(roleSettings(name, 'auto'))
          .filter(each => each !== 'TimeZone' && each !== 'DateStyle')
          .map(each => `'${each}'`)
        const sources = `select distinct source from pg_settings where name in (${names.join(', ')})`
        expect(await inSession(name, sources)).to.deep.equal([{ source: 'user' }])
      })
    }

    it('reports run, and nothing is prepared', async () => {
      const replica = createReplica({
        connectionString: pooledUrl('reports'),
        poolSize: 3,
        connectTimeoutMs: 5000,
        allowPrimary: false,
        state: () => undefined,
        stateAgeMs: () => 0,
        observe,
        now,
      })
      const rowsOf = async (text: string): Promise<HexRow[]> => {
        const sink = keepingSink()
        const { signal } = new AbortController()
        const asked = { name: 'x', alike: '1', text, preparedName: 'x', values: ['1'] }
        const open = (): Reading => ({ sink, finish: () => {}, isOut: () => false })
        await replica.run({ ...asked, timeoutMs: 10_000, signal, open })
        return sink.rows
      }
      const text = 'select $1::integer + count(*) from pg_prepared_statements'
      try {
        for (let time = 0; time < 4; time++) expect(await rowsOf(text)).to.deep.equal([[hex('1')]])
        if (mode === 'transaction') {
          const three = await Promise.all([rowsOf(text), rowsOf(text), rowsOf(text)])
          expect(three.flat(2)).to.deep.equal([hex('1'), hex('1'), hex('1')])
        }
      } finally {
        await replica.close()
      }
      const plans = observations.flatMap(fact => (fact.kind === 'run' ? [fact.plan] : []))
      expect(new Set(plans)).to.deep.equal(new Set(['own']))
    })

    it('keys are looked up, and nothing is prepared', async () => {
      const keys = createKeyDatabase({
        connectionString: pooledUrl('keys'),
        poolSize: 2,
        connectTimeoutMs: 5000,
        timeoutMs: 5000,
        access: () => ourCatalog().access,
        observe,
        now,
      })
      try {
        const hash = createHash('sha256').update('sk_demo_business').digest('hex')
        for (let time = 0; time < 3; time++) {
          expect((await keys.find([hash])).get(hash)).to.include({ timeZone: 'Europe/Moscow' })
        }
      } finally {
        await keys.close()
      }
      const prepared = 'select name from pg_prepared_statements'
      expect(await inSession('keys', prepared)).to.deep.equal([])
    })

    it('the probe sees the replica', async () => {
      const options = { connectTimeoutMs: 5000, allowPrimary: false, observe, now }
      const probe = createProbe({ ...options, connectionString: pooledUrl('probe') })
      await new Promise<void>(resolve => probe.start(resolve))
      await probe.stop()
      expect(probe.state()).to.include({ inRecovery: true, usable: true, replayPaused: false })
      expect(probe.state()?.lagSeconds).to.be.a('number')
    })
  })
}
