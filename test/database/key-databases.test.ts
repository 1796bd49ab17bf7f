import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import type { OrganizationsByKey } from '../../src/serve/access/access-rows.ts'
import { createKeyDatabases, type KeyDatabases } from '../../src/serve/database/key-databases.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { startProxy, type Proxy } from '../harness/proxy.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { change, reasonOf } from './execute.ts'
import { accessSelecting, finderOf, idOf, KEY, selecting } from './look-ups.ts'
import { casesOf } from './table.ts'

const WHERE = `case when pg_is_in_recovery() then 'replica' else 'primary' end`
const WAITS = `case when pg_is_in_recovery() then 'replica' || pg_sleep(20) else 'primary' end`
const PLANS = `(select concat(generic_plans, ' shared and ', custom_plans, ' own') from pg_prepared_statements)`
/** The servers, the id that they return, the result of a look-up, and the number of queries. */
const LOOK_UPS = `
  are queried in order                                           | replica primary | ${WHERE} | replica
  fall back to the next one after a conflict with recovery       | replica primary | case when pg_is_in_recovery() then conflict() else 'primary' end | primary
  are queried at most twice if the only one has a conflict       | primary         | conflict() | 40001 of server 0 | 2 times
  name the one that failed last                                  | replica primary | conflict() | 40001 of server 1
  are queried once if a retry would not help                     | primary replica | (1 / 0)::text | 22012 of server 0 | 1 times
  fall back to the next one if one times out                     | hurried primary | ${WAITS} | primary
  are queried once if the only one times out                     | hurried         | ${WAITS} | 57014 of server 0 | 1 times
  fall back to the next one if one has no connection left        | full primary    | ${WHERE} | primary
  fail if the only one has no connection left                    | full            | ${WHERE} | 53300 of server 0
  have a plan that all look-ups of a session share               | replica         | ${PLANS} | 1 shared and 0 own
  are not used if their lag is unknown                           | blind           | ${WHERE} | server 0 has an unknown lag
  fall back to the next one if the lag of one is unknown         | blind primary   | ${WHERE} | primary
`

interface LookUps extends Pick<KeyDatabases, 'statuses'> {
  find(hashes: readonly string[], isWanted?: () => boolean): Promise<OrganizationsByKey>
}

describe('key databases', () => {
  let cluster: Cluster
  /** URLs by name. `blind`: unknown lag; `hurried`: short timeout; `full`: no connection; `proxy`: to the primary. */
  let urls: Readonly<Record<string, string>>
  /** To the primary. */
  let proxy: Proxy
  const opened: KeyDatabases[] = []
  let asked = 0

  before(async () => {
    cluster = await sharedCluster()
    await change(
      cluster,
      `create or replace function conflict() returns text language plpgsql as $$
       begin raise 'canceling statement due to conflict with recovery' using errcode = '40001'; end $$`,
      `create role svodka_crowd login password '${cluster.passwordOf('svodka_crowd')}' connection limit 0`,
    )
  })
  beforeEach(async () => {
    proxy = await startProxy(cluster.primaryUrl)
    urls = {
      primary: cluster.primaryUrl,
      replica: cluster.replicaUrl,
      blind: cluster.urlFor('svodka_keys', 'replica'),
      hurried: `${cluster.replicaUrl}?options=-c%20statement_timeout%3D150ms`,
      full: cluster.urlFor('svodka_crowd', 'replica'),
      nowhere: 'postgres://nobody@127.0.0.1:1/none',
      proxy: proxy.url,
    }
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(keys => keys.close()))
    await proxy.cut()
  })
  after(() => change(cluster, 'drop function conflict()', 'drop role svodka_crowd'))

  /** @param id SQL of the organization's id in the result of a look-up */
  function keyDatabases(
    names: string,
    id: string,
    times: { connectTimeoutMs?: number; timeoutMs?: number } = {},
  ): LookUps {
    const access = accessSelecting(selecting({ organization_id: id }))
    asked = 0
    const keys = createKeyDatabases({
      servers: names.split(' ').map((name, at) => ({
        name: `server ${at}`,
        url: urls[name]!,
        replica: undefined,
      })),
      probes: [],
      allowPrimary: false,
      maxLagMs: 10_000,
      poolSize: 2,
      connectTimeoutMs: 2000,
      timeoutMs: 5000,
      observe: ({ kind }) => (asked += kind === 'connection-acquired' ? 1 : 0),
      random: () => 0,
      check: async () => {},
      ...times,
    })
    opened.push(keys)
    const find = finderOf(() => access)
    return {
      statuses: keys.statuses,
      find: (hashes, isWanted) => keys.lookUp(read => find(read, hashes), isWanted),
    }
  }
  const untilPrimary = (databases: LookUps): Promise<unknown> =>
    until(async () => (await idOf(databases).catch(() => undefined)) === 'primary')

  for (const [title = '', names = '', id = '', expected = '', times] of casesOf(LOOK_UPS)) {
    it(title, async () => {
      const found = await idOf(keyDatabases(names, id)).catch(({ code, replica, message }) =>
        code === undefined ? message : `${code} of ${replica}`,
      )
      expect(found).to.equal(expected)
      if (times !== undefined) expect(`${asked} times`).to.equal(times)
    })
  }

  it('are not used as fallback after the deadline', async () => {
    const databases = keyDatabases('hurried primary', WAITS)
    expect(await reasonOf(databases.find([KEY], () => false))).to.include({ code: '57014' })
  })

  it('are queried again on a new connection, without fallback, if one connection broke', async () => {
    const databases = keyDatabases(
      'primary nowhere',
      `pg_backend_pid() || left(pg_sleep(0.5)::text, 0)`,
    )
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

  it('are skipped without a wait if they are unavailable', async () => {
    const databases = keyDatabases('proxy', WHERE)
    expect(await idOf(databases)).to.equal('primary')
    await proxy.cut()
    const errors: unknown[] = []
    for (let time = 0; time < 4; time += 1) errors.push(await reasonOf(databases.find([KEY])))
    expect(errors[1], 'the first may concern only a connection').to.not.equal(errors[0])
    expect(errors[2], 'the error that made it unavailable').to.be.an('error')
    expect(errors[3]).to.equal(errors[2])
    await proxy.mend()
    await untilPrimary(databases)
  })

  it('are known to be unavailable after one look-up', async () => {
    const databases = keyDatabases('nowhere', WHERE)
    await reasonOf(databases.find([KEY]))
    await until(async () => databases.statuses().every(({ isReached }) => !isReached))
  })

  it('cost no further time-out after one did not respond and another did', async () => {
    // A second look-up on the hanging server would wait for a connection longer than the test's timeout.
    const times = { timeoutMs: 300, connectTimeoutMs: 60_000 }
    const databases = keyDatabases('proxy replica', WHERE, times)
    expect(await idOf(databases)).to.equal('primary')
    proxy.drop()
    for (let lookUp = 0; lookUp < 5; lookUp += 1) {
      expect(await idOf(databases)).to.equal('replica')
    }
    await proxy.cut()
    await proxy.mend()
    proxy.carry()
    await untilPrimary(databases)
  })

  it('that did not respond are still queried if no other is available', async () => {
    const times = { timeoutMs: 300, connectTimeoutMs: 300 }
    const databases = keyDatabases('proxy blind', WHERE, times)
    expect(await idOf(databases)).to.equal('primary')
    proxy.drop()
    const error = await reasonOf(databases.find([KEY]))
    expect(String(error), 'the error of this one, not the lag of the other').to.match(
      /timeout|no response/,
    )
    proxy.carry()
    await untilPrimary(databases)
  })

  it('have a status: lag, reachable or not, valid for look-ups or not', async () => {
    const databases = keyDatabases('proxy blind replica', WHERE)
    const seen = () =>
      databases
        .statuses()
        .map(({ isReached, lagSeconds, isUsable }) => [isReached, lagSeconds, isUsable])
    const unknown = [true, undefined, undefined]
    expect(seen()).to.deep.equal([unknown, unknown, unknown])
    expect(await idOf(databases)).to.equal('primary')
    expect(seen()[0]).to.deep.equal([true, 0, true])
    await proxy.cut()
    await until(async () => (await idOf(databases)) === 'replica' && seen()[0]?.[0] === false)
    const [first, second, third] = seen()
    expect(first).to.deep.equal([false, 0, false])
    expect(second).to.deep.equal([true, undefined, false])
    expect(third?.[1]).to.be.within(0, 10)
    expect(third?.[2]).to.equal(true)
  })
})
