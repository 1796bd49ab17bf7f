import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { InvalidAccessRow } from '../../src/access/invalid-access-row.ts'
import { createKeyDatabases, type KeyDatabases } from '../../src/replica/key-databases.ts'
import { ACCESS, load, REPORT } from '../definitions/sql-folder.ts'
import { sharedCluster } from '../support/cluster.ts'
import { startProxy } from '../support/proxy.ts'
import { run } from '../support/shops.ts'
import { until } from '../support/until.ts'

const KEY = createHash('sha256').update('key').digest('hex')

describe('databases of keys', function () {
  this.timeout(30_000)
  let cluster: Cluster
  let keys: KeyDatabases | undefined
  let asked = 0

  before(async () => {
    cluster = await sharedCluster()
    await run(
      cluster.primaryUrl,
      `create or replace function conflict() returns text language plpgsql as $$
       begin raise 'canceling statement due to conflict with recovery' using errcode = '40001'; end $$`,
    )
    await cluster.replicaCaughtUp()
  })
  afterEach(() => keys?.close())
  after(async () => {
    await run(cluster.primaryUrl, 'drop function conflict()')
    await cluster.replicaCaughtUp()
  })

  /** @param id SQL of what a look-up answers as the organization's id */
  function keyDatabases(
    urls: readonly string[],
    id: string,
    times: { connectTimeoutMs?: number; timeoutMs?: number } = {},
  ): KeyDatabases {
    const loaded = load({ 'reports/shop/sales.sql': REPORT }).access
    const inFile = ACCESS.replace(':key_hashes', '($1::bytea[])')
    const select = `select hash as key_hash, ${id} as organization_id, 'UTC' as time_zone, true as entitled
      from unnest($1::bytea[]) as hash`
    const access = { ...loaded, text: loaded.text.replace(inFile, () => select) }
    asked = 0
    keys = createKeyDatabases({
      servers: urls.map((url, at) => ({ name: `server ${at}`, url, replica: undefined })),
      watched: [],
      allowPrimary: false,
      maxLagMs: 10_000,
      poolSize: 2,
      connectTimeoutMs: 2000,
      timeoutMs: 5000,
      access: () => access,
      observe: ({ kind }) => (asked += kind === 'connection-acquired' ? 1 : 0),
      now: () => performance.now(),
      random: () => 0,
      ...times,
    })
    return keys
  }

  async function idOf(databases: KeyDatabases): Promise<string | undefined> {
    const organization = (await databases.find([KEY])).get(KEY)
    if (organization instanceof InvalidAccessRow) throw organization
    return organization?.id
  }
  const failureOf = (databases: KeyDatabases): Promise<Error> =>
    databases.find([KEY]).then(
      () => expect.fail('answered'),
      (error: unknown) => error as Error,
    )

  it('say which of them failed last', async () => {
    const away = 'postgres://nobody@127.0.0.1:1/none'
    const databases = keyDatabases([cluster.primaryUrl, away], 'conflict()')
    expect(await failureOf(databases)).to.include({ code: 'ECONNREFUSED', replica: 'server 1' })
    await keys?.close()
    const alone = keyDatabases([cluster.primaryUrl], 'conflict()')
    expect(await failureOf(alone)).to.include({ replica: 'server 0' })
  })

  const WHERE = `case when pg_is_in_recovery() then 'replica' else 'primary' end`

  it('are asked in their order', async () => {
    expect(await idOf(keyDatabases([cluster.replicaUrl, cluster.primaryUrl], WHERE))).to.equal(
      'replica',
    )
  })

  it('are asked once more on the next after a conflict with recovery', async () => {
    const zone = `case when pg_is_in_recovery() then conflict() else 'primary' end`
    expect(await idOf(keyDatabases([cluster.replicaUrl, cluster.primaryUrl], zone))).to.equal(
      'primary',
    )
  })

  it('are asked twice at most, and once where to ask again would not help', async () => {
    expect(await failureOf(keyDatabases([cluster.primaryUrl], 'conflict()'))).to.include({
      code: '40001',
    })
    expect(asked).to.equal(2)
    await keys?.close()
    const databases = keyDatabases([cluster.primaryUrl, cluster.replicaUrl], '(1 / 0)::text')
    expect(await failureOf(databases)).to.include({ code: '22012' })
    expect(asked).to.equal(1)
  })

  const WAITS = `case when pg_is_in_recovery() then 'replica' || pg_sleep(20) else 'primary' end`
  const hurried = (): string =>
    Object.assign(new URL(cluster.replicaUrl), {
      search: '?options=-c%20statement_timeout%3D200ms',
    }).href

  it('are asked on the next where one had no time, if there is still time for it', async () => {
    const databases = keyDatabases([hurried(), cluster.primaryUrl], WAITS)
    expect(await idOf(databases)).to.equal('primary')
    const tooLate: unknown = await databases
      .find([KEY], () => false)
      .catch((error: unknown) => error)
    expect(tooLate).to.include({ code: '57014' })
    await keys?.close()
    expect(await failureOf(keyDatabases([hurried()], WAITS))).to.include({ code: '57014' })
    expect(asked, 'the same one is asked once').to.equal(1)
  })

  it('are asked on the next where one has no connection left', async () => {
    const password = cluster.passwordOf('svodka_crowd')
    await run(
      cluster.primaryUrl,
      `create role svodka_crowd login password '${password}' connection limit 0`,
    )
    await cluster.replicaCaughtUp()
    try {
      const full = cluster.urlFor('svodka_crowd', 'replica')
      expect(await idOf(keyDatabases([full, cluster.primaryUrl], WHERE))).to.equal('primary')
      await keys?.close()
      expect(await failureOf(keyDatabases([full], WHERE))).to.include({ code: '53300' })
    } finally {
      await run(cluster.primaryUrl, 'drop role svodka_crowd')
      await cluster.replicaCaughtUp()
    }
  })

  it('are asked once more on a new connection, and not on the next, where one alone broke', async () => {
    const zone = `pg_backend_pid() || left(pg_sleep(0.5)::text, 0)`
    const nowhere = 'postgres://nobody@127.0.0.1:1/none'
    const databases = keyDatabases([cluster.primaryUrl, nowhere], zone)
    const answer = idOf(databases)
    const killed = await until(async () => {
      const rows = await run<{ pid: number }>(
        cluster.primaryUrl,
        `with asked as materialized (select pid from pg_stat_activity
           where application_name = 'svodka keys' and wait_event = 'PgSleep')
         select pid from asked where pg_terminate_backend(pid)`,
      )
      return rows[0]?.pid
    })
    expect(Number(await answer))
      .to.be.above(0)
      .and.not.equal(killed)
  })

  it('are not waited for where the first is away, nor asked where none is there', async () => {
    const proxy = await startProxy(cluster.primaryUrl)
    try {
      const databases = keyDatabases([proxy.url], WHERE)
      expect(await idOf(databases)).to.equal('primary')
      await proxy.cut()
      await failureOf(databases)
      await failureOf(databases)
      const [one, two] = [await failureOf(databases), await failureOf(databases)]
      expect(one, 'the error that it was away with').to.equal(two)
      await proxy.mend()
      await until(async () => (await idOf(databases).catch(() => undefined)) === 'primary')
    } finally {
      await proxy.cut()
    }
  })

  it('cost nobody a time-out any more, once one has said nothing while another answers', async () => {
    const proxy = await startProxy(cluster.primaryUrl)
    try {
      // Whoever asked the silent one again would wait for a connection for longer than a test lasts.
      const times = { timeoutMs: 300, connectTimeoutMs: 60_000 }
      const databases = keyDatabases([proxy.url, cluster.replicaUrl], WHERE, times)
      expect(await idOf(databases)).to.equal('primary')
      proxy.drop()
      for (let lookUp = 0; lookUp < 5; lookUp += 1) {
        expect(await idOf(databases)).to.equal('replica')
      }
      await proxy.cut()
      await proxy.mend()
      proxy.carry()
      await until(async () => (await idOf(databases)) === 'primary')
    } finally {
      await proxy.cut()
    }
  })

  it('that said nothing are asked all the same where no other tells', async () => {
    const proxy = await startProxy(cluster.primaryUrl)
    try {
      const blind = cluster.urlFor('svodka_keys', 'replica')
      const times = { timeoutMs: 300, connectTimeoutMs: 300 }
      const databases = keyDatabases([proxy.url, blind], WHERE, times)
      expect(await idOf(databases)).to.equal('primary')
      proxy.drop()
      expect(String(await failureOf(databases)), 'its own, after the lag of the other').to.contain(
        'timeout',
      )
      proxy.carry()
      await until(async () => (await idOf(databases).catch(() => undefined)) === 'primary')
    } finally {
      await proxy.cut()
    }
  })

  it('do not count where lag is unknown, as of a role without pg_read_all_stats', async () => {
    const blind = cluster.urlFor('svodka_keys', 'replica')
    const error = await failureOf(keyDatabases([blind], WHERE))
    expect(error.message).to.equal('the lag of server 0 is unknown, and KEYS_MAX_LAG allows 10 s')
    await keys?.close()
    expect(await idOf(keyDatabases([blind, cluster.primaryUrl], WHERE))).to.equal('primary')
  })

  it('tell how far each is behind, which is passed by, and where a look-up counts', async () => {
    const proxy = await startProxy(cluster.primaryUrl)
    try {
      const blind = cluster.urlFor('svodka_keys', 'replica')
      const databases = keyDatabases([proxy.url, blind, cluster.replicaUrl], WHERE)
      const seen = () =>
        databases.seen().map(({ isReached, lagSeconds, counts }) => [isReached, lagSeconds, counts])
      const unknown = [true, undefined, undefined]
      expect(seen()).to.deep.equal([unknown, unknown, unknown])
      expect(await idOf(databases)).to.equal('primary')
      expect(seen()).to.deep.equal([[true, 0, true], unknown, unknown])
      await proxy.cut()
      await until(async () => (await idOf(databases)) === 'replica' && seen()[0]?.[0] === false)
      const [primary, second, third] = seen()
      expect(primary).to.deep.equal([false, 0, false])
      expect(second).to.deep.equal([true, undefined, false])
      expect(third?.[1]).to.be.within(0, 10)
      expect(third?.[2]).to.equal(true)
    } finally {
      await proxy.cut()
    }
  })
})
