import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { createReplica, type Replica } from '../../src/replica/replica.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run as runSql } from '../support/shops.ts'
import { connected, hex, keepingSink, runFor, type HexRow } from './rows.ts'

describe('statements of reports', () => {
  let cluster: Cluster
  let replica: Replica
  /** Stands still where nothing is said of what runs take. */
  let now: () => number

  before(async function () {
    this.timeout(30_000)
    cluster = await sharedCluster()
  })
  const connect = (prepared: 'auto' | 'off', connectionString = cluster.replicaUrl): Replica =>
    createReplica({
      connectionString,
      poolSize: 1,
      connectTimeoutMs: 5000,
      allowPrimary: false,
      state: () => undefined,
      stateAgeMs: () => 0,
      prepared,
      observe: () => {},
      now: () => now(),
    })
  beforeEach(() => {
    now = () => 0
    replica = connect('auto')
  })
  afterEach(() => replica.close())

  let organizations = 0
  const nextOrganization = (): string => String((organizations += 1))

  async function rowsOf(
    text: string,
    preparedName = text.slice(0, 63),
    values: readonly string[] = [],
    alike = nextOrganization(),
    timeoutMs = 10_000,
  ): Promise<HexRow[]> {
    const sink = keepingSink()
    const { signal } = new AbortController()
    const run = { name: 'x', alike, text, preparedName, values, timeoutMs, signal }
    const reading = { sink, finish: () => {}, isOut: () => false }
    await replica.run({ ...run, open: () => reading })
    return sink.rows
  }

  const PREPARED = 'select name from pg_prepared_statements order by name'
  const BACKEND = 'select pg_backend_pid()'

  it('are prepared once on each connection, and planned for each run', async () => {
    for (const value of ['1', '2']) {
      expect(await rowsOf('select $1::text', 'a', [value])).to.deep.equal([[hex(value)]])
    }
    expect(await rowsOf(PREPARED, 'b')).to.deep.equal([[hex('a')], [hex('b')]])
    const plans = `select generic_plans, custom_plans from pg_prepared_statements where name = 'a'`
    expect(await rowsOf(plans)).to.deep.equal([[hex('0'), hex('2')]])
  })

  const plansOf = async (name: string): Promise<HexRow[]> =>
    rowsOf(
      `select generic_plans, custom_plans from pg_prepared_statements where name = '${name}'`,
      'of plans',
    )

  it('share a plan for an organization whose runs are short', async () => {
    for (const value of ['1', '2', '3']) {
      expect(await rowsOf('select $1::text', 'a', [value], 'small')).to.deep.equal([[hex(value)]])
    }
    expect(await plansOf('a')).to.deep.equal([[hex('2'), hex('1')]])
    await rowsOf('select $1::text', 'a', ['4'], 'another')
    expect(await plansOf('a')).to.deep.equal([[hex('2'), hex('2')]])
  })

  it('have plans of their own for one whose runs are long', async () => {
    now = () => performance.now()
    const slow = 'select pg_sleep(0.02), $1::text'
    for (let run = 0; run < 3; run++) await rowsOf(slow, 'slow', ['1'], 'large')
    expect(await plansOf('slow')).to.deep.equal([[hex('0'), hex('3')]])
  })

  it('have plans of their own again after one that was shared ran out of its time', async () => {
    const text = 'select pg_sleep($1::float8)::text'
    for (const seconds of ['0', '0']) await rowsOf(text, 'sleep', [seconds], 'small')
    const late = await rowsOf(text, 'sleep', ['30'], 'small', 100).catch((error: unknown) => error)
    expect(late).to.have.property('code', 'report_timeout')
    await rowsOf(text, 'sleep', ['0'], 'small')
    // The connection is reused after the time-out, with the statements that it has prepared.
    expect(await plansOf('sleep')).to.deep.equal([[hex('2'), hex('2')]])
  })

  it('are run once more, and their connection replaced, after a table was changed', async () => {
    const change = async (sql: string): Promise<void> => {
      await runSql(cluster.primaryUrl, sql)
      await cluster.replicaCaughtUp()
    }
    await change('create table changing as select 1 as value')
    try {
      const [before] = await rowsOf(BACKEND)
      const text = 'select pg_backend_pid(), value from changing'
      expect(await rowsOf(text)).to.deep.equal([[before?.[0], hex('1')]])
      await change("alter table changing alter value type text using 'one'")
      expect(await rowsOf(text)).to.deep.equal([[before?.[0], hex('one')]])
      const [after] = await rowsOf(BACKEND)
      expect(after).to.not.deep.equal(before)
      expect(await rowsOf(text)).to.deep.equal([[after?.[0], hex('one')]])
      expect(await rowsOf(PREPARED)).to.have.length(3)
    } finally {
      await change('drop table changing')
    }
  })

  it('are no longer prepared where a connection has lost one, as behind a pooler', async () => {
    const [backend] = await rowsOf(BACKEND)
    await rowsOf("select 'a'", 'a')
    await rowsOf('deallocate all')
    expect(await rowsOf("select 'a'", 'a')).to.deep.equal([[hex('a')]])
    expect(await rowsOf("select 'b'", 'b')).to.deep.equal([[hex('b')]])
    expect(await rowsOf(PREPARED)).to.deep.equal([])
    expect(await rowsOf(BACKEND)).to.deep.equal([backend])
  })

  it('are run once more where a connection has one that it was not given', async () => {
    const client = await connected(cluster.replicaUrl, 'tap')
    await client.query(`prepare "a" as select 'another'`)
    const sink = keepingSink()
    const codes: string[] = []
    const refused = (code: string): void => void codes.push(code)
    await runFor(client, "select 'a'", sink, { prepared: { name: 'a', refused } })
    await client.end()
    expect(codes).to.deep.equal(['42P05'])
    expect(sink.rows).to.deep.equal([[hex('a')]])
  })

  it('are not prepared with PREPARED=off, and no session is told how to plan', async () => {
    await replica.close()
    replica = connect('off')
    for (const value of ['1', '2']) {
      expect(await rowsOf('select $1::text', 'a', [value], 'small')).to.deep.equal([[hex(value)]])
    }
    expect(await rowsOf(PREPARED)).to.deep.equal([])
    expect(await rowsOf('show plan_cache_mode')).to.deep.equal([[hex('auto')]])
    expect(await rowsOf('show jit')).to.deep.equal([[hex('off')]])
  })

  it('that are refused for what they are, are refused', async () => {
    const error: unknown = await rowsOf('select no_such_column').catch((error: unknown) => error)
    expect(error).to.include({ code: 'internal_error' })
  })
})
