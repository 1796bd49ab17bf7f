import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import type { Lacking, Observation } from '../../src/observation.ts'
import { createPool } from '../../src/replica/pool.ts'
import { findLacking, RoleSettingsError } from '../../src/replica/role-settings.ts'
import { roleSettings } from '../../src/replica/session-settings.ts'
import { sharedCluster } from '../support/cluster.ts'
import { needsPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { run as runSql } from '../support/shops.ts'

const EXPECTED = roleSettings('reports', 'auto')

describe('what a role must carry behind a pooler', () => {
  const namesFor = (found: Readonly<Record<string, string>>, role = 'x'): string[] =>
    findLacking(EXPECTED, { ...EXPECTED, ...found }, role).map(({ name }) => name)

  it('lacks nothing where all is as expected', () => {
    expect(namesFor({})).to.deep.equal([])
  })

  it('takes any limit, and none as lacking', () => {
    expect(namesFor({ statement_timeout: '5min', lock_timeout: '200ms' })).to.deep.equal([])
    expect(namesFor({ statement_timeout: '0', lock_timeout: '0' })).to.have.members([
      'statement_timeout',
      'lock_timeout',
    ])
  })

  it('takes UTC by its other names', () => {
    expect(namesFor({ TimeZone: 'Etc/UTC' })).to.deep.equal([])
    expect(namesFor({ TimeZone: 'Europe/Moscow' })).to.deep.equal(['TimeZone'])
  })

  const CHANGING: Array<[name: string, found: string, changesAnswers: boolean]> = [
    ['TimeZone', 'Europe/London', true],
    ['DateStyle', 'German, DMY', true],
    ['DateStyle', 'ISO, MDY', false],
    ['IntervalStyle', 'postgres', true],
    ['bytea_output', 'escape', true],
    ['jit', 'on', false],
    ['default_transaction_read_only', 'off', false],
  ]
  for (const [name, found, changesAnswers] of CHANGING) {
    it(`says that ${name} "${found}" ${changesAnswers ? 'changes' : 'does not change'} answers`, () => {
      const [lacking] = findLacking(EXPECTED, { ...EXPECTED, [name]: found }, 'x')
      expect(lacking).to.include({ name, found, expected: EXPECTED[name], changesAnswers })
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

  it('needs no plan_cache_mode where nothing is prepared', () => {
    expect(roleSettings('reports', 'auto')).to.include.keys('plan_cache_mode')
    expect(roleSettings('reports', 'off')).to.not.include.keys('plan_cache_mode')
  })
})

describe('a role behind PgBouncer that carries nothing', function () {
  this.timeout(30_000)
  let cluster: Cluster

  const change = async (sql: string): Promise<void> => {
    await runSql(cluster.primaryUrl, sql)
    await cluster.replicaCaughtUp()
  }

  before(async function () {
    needsPgBouncer(this)
    cluster = await sharedCluster()
    await change(`create role pooled_bare login password '${cluster.passwordOf('pooled_bare')}'`)
    // why: the machine's own zone may be UTC
    await change(`alter role pooled_bare set TimeZone = 'Asia/Tokyo'`)
  })
  after(() => change('drop role if exists pooled_bare'))

  /** By way of a pooler that has no connection to the server yet. */
  async function connect(): Promise<{ readonly error: unknown; readonly lacking: Lacking[] }> {
    const serverUrl = cluster.urlFor('pooled_bare', 'replica')
    const pgBouncer = await startPgBouncer({ mode: 'transaction', serverUrls: [serverUrl] })
    const met: Observation[] = []
    const pool = createPool({
      name: 'reports',
      connectionString: pgBouncer.urlFor(serverUrl),
      max: 1,
      connectTimeoutMs: 5000,
      observe: fact => void met.push(fact),
    })
    try {
      const error: unknown = await pool.connect().then(
        client => client.release(),
        (error: unknown) => error,
      )
      const lacking = met.flatMap(fact => (fact.kind === 'pooler-met' ? fact.lacking : []))
      return { error, lacking }
    } finally {
      await pool.end()
      await pgBouncer.stop()
    }
  }

  it('is refused while answers would be wrong, warned of while they are right, and mended', async () => {
    const bare = await connect()
    expect(bare.error).to.include({ code: 'replica_unavailable' })
    expect((bare.error as Error).cause).to.be.an.instanceof(RoleSettingsError)
    const changing = bare.lacking.filter(({ changesAnswers }) => changesAnswers)
    expect(changing.map(({ name }) => name)).to.have.members(['TimeZone', 'IntervalStyle'])
    for (const { name, found, mend } of changing) {
      expect(String((bare.error as Error).cause))
        .to.contain(`${name} is "${found}"`)
        .and.contain(mend)
    }

    await change(changing.map(({ mend }) => mend).join('\n'))
    const warned = await connect()
    expect(warned.error).to.equal(undefined)
    expect(warned.lacking.map(({ name }) => name)).to.include.members([
      'DateStyle',
      'default_transaction_read_only',
      'statement_timeout',
      'client_connection_check_interval',
    ])

    await change(warned.lacking.map(({ mend }) => mend).join('\n'))
    expect(await connect()).to.deep.equal({ error: undefined, lacking: [] })
  })
})
