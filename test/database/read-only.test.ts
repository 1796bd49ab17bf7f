// SQL of definitions can neither write nor leave settings behind, on real servers, with any privileges.
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { describeColumns } from '../../src/serve/start/dry-run.ts'
import { createPool } from '../../src/serve/database/pool.ts'
import { readHeartbeat } from '../../src/serve/database/probe.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'
import { change, errorOf, reasonOf, rowsOf, serversOfTests } from './execute.ts'
import { accessSelecting, idOf, KEY, keyDatabaseAt, selecting } from './look-ups.ts'
import { connected, hex, readAll } from './rows.ts'
import { startWire } from './wire.ts'

/** Statements that try to make their session writable, and SQL that shows that they failed. */
const READ_ONLY = 'default_transaction_read_only'
const SPELLINGS = {
  'U&"set\\005fconfig"': `select U&"set\\005fconfig"('${READ_ONLY}', 'off', false)`,
  query_to_xml: `select query_to_xml('select set_con' || 'fig(''${READ_ONLY}'', ''off'', false)', true, true, '')::text`,
}
const BACKEND = 'select pg_backend_pid()'
const SETTING = `select current_setting('${READ_ONLY}')`

describe('a read-only execution', () => {
  const serverAt = serversOfTests()
  let cluster: Cluster

  before(async () => {
    cluster = await sharedCluster()
  })

  for (const [spelling, text] of Object.entries(SPELLINGS)) {
    it(`leaves no setting behind that it has set by ${spelling}`, async () => {
      const replica = serverAt(cluster.replicaUrl)
      const before = await rowsOf(replica, BACKEND)
      await rowsOf(replica, text)
      expect(await rowsOf(replica, SETTING)).to.deep.equal([[hex('on')]])
      expect(await rowsOf(replica, BACKEND), 'the same session').to.deep.equal(before)
    })

    it(`leaves none behind of a key look-up and of the heartbeat by ${spelling}`, async () => {
      const id = (sets: string) => `(${sets}) || ' ' || current_setting('${READ_ONLY}')`
      let shown = selecting({ organization_id: id(text) })
      const keys = keyDatabaseAt(cluster.replicaUrl, () => accessSelecting(shown))
      expect((await keys.find([KEY])).size).to.equal(1)
      shown = selecting({ organization_id: id(`''`) })
      expect(await idOf(keys)).to.equal(' on')
      await keys.pool.end()

      const pool = createPool({
        name: 'probe',
        connectionString: cluster.replicaUrl,
        max: 1,
        connectTimeoutMs: 5000,
        observe: () => {},
      })
      const beat = `select '1' as written_ms from (${text}) as set`
      const client = await pool.connect()
      expect(await readHeartbeat(client, beat)).to.deep.equal({ writtenMs: 1 })
      const { error } = await readHeartbeat(client, 'select 1 / 0')
      expect(error).to.include({ code: '22012' })
      expect((await client.query(SETTING)).rows).to.deep.equal([{ current_setting: 'on' }])
      client.giveBack()
      await pool.end()
    })
  }

  describe('on a writable server, as a role with write privileges', () => {
    before(() =>
      run(
        cluster.primaryUrl,
        `create table written as select 1 as n;
         create function writes() returns integer language sql as 'insert into written values (2) returning n'`,
      ).then(() => undefined),
    )
    after(() => change(cluster, 'drop function writes(); drop table written'))

    for (const text of [
      'update written set n = 2 returning n',
      'select writes()',
      `with unset as materialized (${SPELLINGS['U&"set\\005fconfig"']}) select writes() from unset`,
      `select set_config('transaction_read_only', 'off', false), writes()`,
    ]) {
      it(`is rejected: ${text}`, async () => {
        const replica = serverAt(cluster.primaryUrl, { allowPrimary: true })
        // why: an earlier execution has tried to make the session writable
        for (const spelling of Object.values(SPELLINGS)) await rowsOf(replica, spelling)
        const error = await errorOf(replica, text)
        expect(error).to.have.nested.property('cause.code').that.is.oneOf(['25006', '25001'])
        const rows = await run(cluster.primaryUrl, 'select n from written')
        expect(rows).to.deep.equal([{ n: 1 }])
      })
    }
  })

  it('has left its transaction after an error, in the same session', async () => {
    const replica = serverAt(cluster.replicaUrl)
    const before = await rowsOf(replica, BACKEND)
    for (const text of [
      'select 1 / 0',
      'select no_such_column',
      'select 1 / (n - 500) from generate_series(1, 1000) as n',
    ]) {
      expect(await errorOf(replica, text)).to.include({ code: 'internal_error' })
      const sessions = await run(
        cluster.replicaUrl,
        `select state from pg_stat_activity where application_name = 'svodka reports' and datname = current_database()`,
      )
      expect(sessions).to.deep.equal([{ state: 'idle' }])
      expect(await rowsOf(replica, BACKEND)).to.deep.equal(before)
    }
  })

  it('is sent completely before the server responds', async () => {
    let sent: Buffer | undefined
    const wire = await startWire(cluster.replicaUrl, {
      toServer(bytes) {
        if (sent === undefined) return bytes
        sent = Buffer.concat([sent, bytes])
        return undefined
      },
    })
    const client = await connected(wire.url)
    sent = Buffer.alloc(0)
    const late = await reasonOf(readAll(client, 'select 17', { timeoutMs: 100 }))
    wire.close()
    expect(late).to.include({ code: 'report_timeout' })
    const places = ['begin', 'select 17', 'rollback'].map(text => sent!.indexOf(text))
    expect(places).to.deep.equal(places.toSorted((a, b) => a - b))
    expect(places[0]).to.be.greaterThan(0)
    const SYNC = Buffer.from('S\0\0\0\x04', 'latin1')
    expect(sent.indexOf(SYNC), 'one Sync, at the end').to.equal(sent.length - SYNC.length)
  })

  it('is not ended by idle_in_transaction_session_timeout while its reader is slow', async () => {
    const options = 'options=-c%20idle_in_transaction_session_timeout%3D200ms'
    const client = await connected(`${cluster.replicaUrl}?${options}`)
    // In the select list instead of after `from`, where PostgreSQL would materialize all rows first.
    const { rows } = await readAll(client, `select generate_series(1, 20000), repeat('x', 2000)`, {
      onRow: rowCount =>
        rowCount === 1 ? new Promise(resolve => setTimeout(resolve, 600)) : undefined,
    })
    expect(rows.at(-1)?.[0]).to.equal(hex('20000'))
    await client.end()
  })

  it('leaves no setting behind from a function executed during planning', async () => {
    await change(
      cluster,
      `create function sets() returns text immutable language sql as $$${SPELLINGS.query_to_xml}$$`,
    )
    const replica = serverAt(cluster.replicaUrl)
    try {
      const plan = (text: string) => replica.withSession(read => describeColumns(read, text))
      await plan('select sets()')
      expect(await reasonOf(plan('select no_such_column'))).to.include({ code: '42703' })
      await plan('select sets()')
      expect(await rowsOf(replica, SETTING)).to.deep.equal([[hex('on')]])
    } finally {
      await change(cluster, 'drop function sets()')
    }
  })
})
