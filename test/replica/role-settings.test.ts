import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import type { Lacking } from '../../src/observation.ts'
import { createPool } from '../../src/replica/pool.ts'
import { findLacking, RoleSettingsError } from '../../src/replica/role-settings.ts'
import { roleSettings } from '../../src/replica/session-settings.ts'
import { sharedCluster } from '../support/cluster.ts'
import { needsPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { change, reasonOf } from './execute.ts'
import { casesOf } from './table.ts'

const EXPECTED = roleSettings('reports', 'auto')

const SETTINGS = `
  statement_timeout             | 5min          | is enough
  statement_timeout             | 0             | is lacking
  lock_timeout                  | 200ms         | is enough
  lock_timeout                  | 0             | is lacking
  TimeZone                      | Etc/UTC       | is enough
  TimeZone                      | Europe/London | changes responses
  DateStyle                     | German, DMY   | changes responses
  DateStyle                     | ISO, MDY      | is lacking
  IntervalStyle                 | postgres      | changes responses
  bytea_output                  | escape        | changes responses
  jit                           | on            | is lacking
  default_transaction_read_only | off           | is lacking
`

describe('what a role must carry behind a pooler', () => {
  for (const [name = '', found = '', outcome] of casesOf(SETTINGS)) {
    it(`${name} "${found}" ${outcome}`, () => {
      const lacking = findLacking(EXPECTED, { ...EXPECTED, [name]: found }, 'x')
      const [one] = lacking.map(({ changesAnswers }) =>
        changesAnswers ? 'changes responses' : 'is lacking',
      )
      expect(one ?? 'is enough').to.equal(outcome)
      if (one) expect(lacking[0]).to.include({ name, found, expected: EXPECTED[name] })
    })
  }

  it('is mended by SQL that names the role, whatever its name', () => {
    const [lacking] = findLacking({ jit: 'off' }, { jit: 'on' }, 'Re"ports')
    expect(lacking?.mend).to.equal(`alter role "Re""ports" set jit = 'off';`)
  })

  it('is mended for keys and the probe so that reports of the same role have their time', () => {
    for (const pool of ['keys', 'probe'] as const) {
      const lacking = findLacking(roleSettings(pool, 'auto'), { statement_timeout: '0' }, 'x')
      const one = lacking.find(({ name }) => name === 'statement_timeout')
      expect(one?.mend).to.equal(`alter role x set statement_timeout = '60s';`)
    }
  })

  it('needs no plan_cache_mode if nothing is prepared', () => {
    expect(roleSettings('reports', 'auto')).to.include.keys('plan_cache_mode')
    expect(roleSettings('reports', 'off')).to.not.include.keys('plan_cache_mode')
  })
})

describe('a role behind PgBouncer that carries nothing', function () {
  this.timeout(30_000)
  let cluster: Cluster

  before(async function () {
    cluster = await sharedCluster()
    needsPgBouncer(this)
    await change(
      cluster,
      `create role pooled_bare login password '${cluster.passwordOf('pooled_bare')}'`,
      // why: the machine's own zone may be UTC
      `alter role pooled_bare set TimeZone = 'Asia/Tokyo'`,
    )
  })
  after(() => change(cluster, 'drop role if exists pooled_bare'))

  /** By way of a pooler that has no connection to the server yet. */
  async function connect(): Promise<{ readonly error: unknown; readonly lacking: Lacking[] }> {
    const serverUrl = cluster.urlFor('pooled_bare', 'replica')
    const pgBouncer = await startPgBouncer({ mode: 'transaction', serverUrls: [serverUrl] })
    let lacking: Lacking[] = []
    const pool = createPool({
      name: 'reports',
      connectionString: pgBouncer.urlFor(serverUrl),
      max: 1,
      connectTimeoutMs: 5000,
      observe(fact) {
        if (fact.kind === 'pooler-met') lacking = [...fact.lacking]
      },
    })
    const error = await reasonOf(pool.connect().then(client => client.release()))
    await pool.end()
    await pgBouncer.stop()
    return { error, lacking }
  }

  it('is rejected while responses would be wrong, warned of while they are right, and mended', async () => {
    const mend = (all: readonly Lacking[]) => change(cluster, all.map(one => one.mend).join('\n'))
    const { error, lacking } = await connect()
    expect(error).to.include({ code: 'replica_unavailable' })
    const { cause } = error as Error
    expect(cause).to.be.an.instanceof(RoleSettingsError)
    const changing = lacking.filter(({ changesAnswers }) => changesAnswers)
    expect(changing.map(({ name }) => name)).to.have.members(['TimeZone', 'IntervalStyle'])
    for (const { name, found, mend } of changing) {
      expect(String(cause)).to.contain(`${name} is "${found}"`).and.contain(mend)
    }

    await mend(changing)
    const warned = await connect()
    expect(warned.error).to.equal(undefined)
    expect(warned.lacking.map(({ name }) => name)).to.include.members([
      'DateStyle',
      'default_transaction_read_only',
      'statement_timeout',
      'client_connection_check_interval',
    ])

    await mend(warned.lacking)
    expect(await connect()).to.deep.equal({ error: undefined, lacking: [] })
  })
})
