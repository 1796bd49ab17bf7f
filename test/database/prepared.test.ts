import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { createStop } from '../../src/model/stop.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import {
  change,
  errorOf,
  reasonOf,
  rowsOf,
  serversOfTests,
  started,
  type Server,
} from './execute.ts'
import { connected, hex, readAll, type HexRow } from './rows.ts'
import { startWire } from './wire.ts'
import type { ReportStatement } from '../../src/serve/database/rows.ts'

const PREPARED = 'select name from pg_prepared_statements order by name'
const BACKEND = 'select pg_backend_pid()'

describe('statements of reports', () => {
  const serverAt = serversOfTests()
  let cluster: Cluster
  let replica: Server
  /** A stopped clock, unless a test sets durations. */
  let now: () => number
  let organizations = 0

  before(async () => {
    cluster = await sharedCluster()
  })
  beforeEach(() => {
    now = () => 0
    replica = serverAt(cluster.replicaUrl, { now: () => now() })
  })

  /** Default: a new organization each time. */
  const ask = (text: string, more: Partial<ReportStatement> = {}): Promise<HexRow[]> =>
    rowsOf(replica, text, { similarityKey: String((organizations += 1)), ...more })
  const echo = (value: string, similarityKey?: string): Promise<HexRow[]> =>
    ask('select $1::text', {
      preparedName: 'a',
      values: [value],
      ...(similarityKey && { similarityKey }),
    })

  /** Counts of executions with a shared plan and with per-execution plans. */
  async function plansOf(name: string): Promise<Array<string | null>> {
    const counts = `select generic_plans, custom_plans from pg_prepared_statements where name = '${name}'`
    const [plans = []] = await ask(counts, { preparedName: 'of plans' })
    return plans.map(digits => digits && Buffer.from(digits, 'hex').toString())
  }

  it('are prepared once on each connection, and planned for each execution', async () => {
    for (const value of ['1', '2']) expect(await echo(value)).to.deep.equal([[hex(value)]])
    expect(await ask(PREPARED, { preparedName: 'b' })).to.deep.equal([[hex('a')], [hex('b')]])
    expect(await plansOf('a')).to.deep.equal(['0', '2'])
  })

  it('share a plan for an organization whose executions are short', async () => {
    for (const value of ['1', '2', '3']) {
      expect(await echo(value, 'small')).to.deep.equal([[hex(value)]])
    }
    expect(await plansOf('a')).to.deep.equal(['2', '1'])
    await echo('4', 'another')
    expect(await plansOf('a')).to.deep.equal(['2', '2'])
  })

  it('have per-execution plans for one whose executions are long', async () => {
    now = () => performance.now()
    const slow = { preparedName: 'slow', values: ['1'], similarityKey: 'large' }
    for (let time = 0; time < 3; time++) await ask('select pg_sleep(0.02), $1::text', slow)
    expect(await plansOf('slow')).to.deep.equal(['0', '3'])
  })

  it('have per-execution plans again after an execution with a shared plan timed out', async () => {
    const sleep = (seconds: string, timeoutMs = 10_000): Promise<unknown> =>
      errorOf(replica, 'select pg_sleep($1::float8)::text', {
        preparedName: 'sleep',
        values: [seconds],
        timeoutMs,
      })
    for (const seconds of ['0', '0']) await sleep(seconds)
    expect(await sleep('30', 100)).to.have.property('code', 'report_timeout')
    await sleep('0')
    // The connection was replaced after the time-out.
    expect(await plansOf('sleep')).to.deep.equal(['0', '1'])
  })

  it('share a plan again after an execution with it was cancelled', async () => {
    const text = 'select pg_sleep($1::float8)::text'
    const sleep = { preparedName: 'sleep', values: ['0'] }
    for (let time = 0; time < 2; time += 1) await rowsOf(replica, text, sleep)
    const { abort, ended } = started(replica, text, { ...sleep, values: ['30'] })
    const asleep = `select from pg_stat_activity where application_name = 'svodka reports' and wait_event = 'PgSleep'`
    await until(async () => (await run(cluster.replicaUrl, asleep)).length === 1)
    abort()
    expect(await ended).to.have.property('message', 'aborted')
    await rowsOf(replica, text, sleep)
    // The connection was replaced.
    expect(await plansOf('sleep')).to.deep.equal(['1', '0'])
  })

  it('are retried, and their connection replaced, after a table was altered', async () => {
    await change(cluster, 'create table changing as select 1 as value')
    try {
      const [before] = await ask(BACKEND)
      const text = 'select pg_backend_pid(), value from changing'
      expect(await ask(text)).to.deep.equal([[before?.[0], hex('1')]])
      await change(cluster, "alter table changing alter value type text using 'one'")
      expect(await ask(text)).to.deep.equal([[before?.[0], hex('one')]])
      const [after] = await ask(BACKEND)
      expect(after).to.not.deep.equal(before)
      expect(await ask(text)).to.deep.equal([[after?.[0], hex('one')]])
      expect(await ask(PREPARED)).to.have.length(3)
    } finally {
      await change(cluster, 'drop table changing')
    }
  })

  it('are retried, and their connection replaced, if it has lost one', async () => {
    await echo('1')
    await ask('deallocate all')
    for (const value of ['2', '3']) expect(await echo(value)).to.deep.equal([[hex(value)]])
    expect(await ask(PREPARED)).to.deep.include([hex('a')])
  })

  it('are retried if a connection already has a statement of that name', async () => {
    const client = await connected(cluster.replicaUrl)
    await client.query(`prepare "a" as select 'another'`)
    const { rows } = await readAll(client, "select 'a'", { name: 'a' })
    await client.end()
    expect(rows).to.deep.equal([[hex('a')]])
  })

  it('are not retried if they are aborted meanwhile', async () => {
    const stop = createStop()
    const wire = await startWire(cluster.replicaUrl, {
      toServer(bytes) {
        if (bytes.includes('rollback\0') && bytes.indexOf('Q') === 0)
          stop.stop(new Error('aborted'))
        return bytes
      },
    })
    const client = await connected(wire.url)
    await client.query(`prepare "a" as select 'another'`)
    expect(await reasonOf(readAll(client, "select 'a'", { name: 'a', stop }))).to.equal(stop.reason)
    wire.close()
  })

  it('are not retried if they fail after rows with the code of an altered table', async () => {
    const client = await connected(cluster.replicaUrl)
    let rowCount = 0
    const onRow = (count: number): undefined => void (rowCount = count)
    // why: PostgreSQL sends a row of this length at once, so the reader has taken it when the error comes
    const fails = `select repeat('x', 100000), case when n = 2 then pg_sleep(0.2)::text || date_trunc('timezone', now()) end
      from generate_series(1, 2) as n`
    const error = await reasonOf(readAll(client, fails, { name: 'a', onRow }))
    await client.end()
    expect(error).to.have.property('code', '0A000')
    expect(rowCount).to.equal(1)
  })
})
