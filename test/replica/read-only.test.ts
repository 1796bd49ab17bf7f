// What a definition's SQL cannot leave behind or write, on real servers, whatever its role may do.
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { createKeyDatabase } from '../../src/replica/key-database.ts'
import { createPool } from '../../src/replica/pool.ts'
import { readHeartbeat } from '../../src/replica/read-heartbeat.ts'
import { createReplica, type Replica } from '../../src/replica/replica.ts'
import { runStatement } from '../../src/replica/run-statement.ts'
import { ACCESS, load, REPORT } from '../definitions/sql-folder.ts'
import { sharedCluster } from '../support/cluster.ts'
import { needsPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { run as runSql } from '../support/shops.ts'
import { connected, hex, keepingSink, runFor, type HexRow } from './rows.ts'

const now = (): number => performance.now()
const READ_ONLY = 'default_transaction_read_only'
const SPELLINGS = {
  'U&"set\\005fconfig"': `select U&"set\\005fconfig"('${READ_ONLY}', 'off', false)`,
  query_to_xml: `select query_to_xml('select set_con' || 'fig(''${READ_ONLY}'', ''off'', false)', true, true, '')::text`,
}

describe('an execution that only reads', function () {
  this.timeout(60_000)
  let cluster: Cluster
  const opened: Replica[] = []

  before(async () => {
    cluster = await sharedCluster()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(replica => replica.close()))
  })

  function replicaAt(connectionString: string): Replica {
    const replica = createReplica({
      connectionString,
      poolSize: 1,
      connectTimeoutMs: 5000,
      allowPrimary: true,
      state: () => undefined,
      stateAgeMs: () => 0,
      observe: () => {},
      now,
    })
    opened.push(replica)
    return replica
  }

  async function rowsOf(replica: Replica, text: string): Promise<HexRow[]> {
    const sink = keepingSink()
    const { signal } = new AbortController()
    const run = { name: 'x', alike: '1', text, preparedName: text.slice(0, 63), values: [] }
    const open = () => ({ sink, finish: () => {}, isOut: () => false })
    await replica.run({ ...run, timeoutMs: 10_000, open, signal })
    return sink.rows
  }
  const errorOf = (replica: Replica, text: string): Promise<unknown> =>
    rowsOf(replica, text).then(
      () => 'no error',
      (error: unknown) => error,
    )

  const BACKEND = 'select pg_backend_pid()'
  const SETTING = `select current_setting('${READ_ONLY}')`

  for (const [spelling, text] of Object.entries(SPELLINGS)) {
    it(`leaves no setting behind that it has set by way of ${spelling}`, async () => {
      const replica = replicaAt(cluster.replicaUrl)
      const before = await rowsOf(replica, BACKEND)
      await rowsOf(replica, text)
      expect(await rowsOf(replica, SETTING)).to.deep.equal([[hex('on')]])
      expect(await rowsOf(replica, BACKEND), 'the same session').to.deep.equal(before)
    })
  }

  describe('on a server that takes writes, as a role that may write', () => {
    const count = async (): Promise<unknown> => {
      const rows = await runSql<{ count: string }>(
        cluster.primaryUrl,
        'select count(*)::text from written',
      )
      return rows[0]?.count
    }
    before(async () => {
      await runSql(
        cluster.primaryUrl,
        `create table written as select 1 as n;
         create function writes() returns integer language sql as 'insert into written values (2) returning n'`,
      )
    })
    after(() =>
      runSql(cluster.primaryUrl, 'drop function writes(); drop table written').then(
        () => undefined,
      ),
    )

    for (const text of [
      'update written set n = 2 returning n',
      'select writes()',
      `with unset as materialized (${SPELLINGS['U&"set\\005fconfig"']}) select writes() from unset`,
      `select set_config('transaction_read_only', 'off', false), writes()`,
    ]) {
      it(`is refused: ${text}`, async () => {
        const replica = replicaAt(cluster.primaryUrl)
        // why: each is tried in a session that an earlier execution has tried to make writable
        for (const spelling of Object.values(SPELLINGS)) await rowsOf(replica, spelling)
        const error = await errorOf(replica, text)
        expect(error).to.have.nested.property('cause.code').that.is.oneOf(['25006', '25001'])
        expect(await count()).to.equal('1')
      })
    }
  })

  it('is out of its transaction after an error, in the same session', async () => {
    const replica = replicaAt(cluster.replicaUrl)
    const before = await rowsOf(replica, BACKEND)
    for (const text of [
      'select 1 / 0',
      'select no_such_column',
      'select 1 / (n - 500) from generate_series(1, 1000) as n',
    ]) {
      expect(await errorOf(replica, text)).to.include({ code: 'internal_error' })
      const sessions = await runSql(
        cluster.replicaUrl,
        `select state from pg_stat_activity where application_name = 'svodka reports' and datname = current_database()`,
      )
      expect(sessions).to.deep.equal([{ state: 'idle' }])
      expect(await rowsOf(replica, BACKEND)).to.deep.equal(before)
    }
  })

  it('is sent as a whole before the server says anything', async () => {
    let sent = Buffer.alloc(0)
    const { client, silence } = await throughSilence()
    const { signal } = new AbortController()
    const run = { text: 'select 17', values: [], dataAsOf: undefined, signal, readOnly: true }
    silence(bytes => void (sent = Buffer.concat([sent, bytes])))
    const late = runStatement(client, { ...run, timeoutMs: 100, sink: keepingSink() }).catch(
      (error: unknown) => error,
    )
    expect(await late).to.include({ code: 'report_timeout' })
    const texts = ['begin read only', 'select 17', 'rollback'].map(text => sent.indexOf(text))
    expect(texts).to.deep.equal(texts.toSorted((a, b) => a - b))
    expect(texts[0]).to.be.greaterThan(0)
    const SYNC = Buffer.from('S\0\0\0\x04', 'latin1')
    expect(sent.indexOf(SYNC), 'one Sync, at the end').to.equal(sent.length - SYNC.length)

    async function throughSilence() {
      let listen: ((bytes: Buffer) => void) | undefined
      const { connect } = await import('node:net')
      const server = createServer(socket => {
        const { hostname, port } = new URL(cluster.replicaUrl)
        const upstream = connect(Number(port), hostname).on('error', () => socket.destroy())
        socket.on('error', () => upstream.destroy())
        socket.on('data', bytes => (listen ? listen(bytes) : upstream.write(bytes)))
        socket.on('close', () => upstream.destroy())
        upstream.on('data', bytes => socket.write(bytes))
      })
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const port = String((server.address() as AddressInfo).port)
      const made = await connected(Object.assign(new URL(cluster.replicaUrl), { port }).href, 'tap')
      server.close()
      return { client: made, silence: (to: typeof listen) => void (listen = to) }
    }
  })

  it('is ended by no time-out of idle transactions while its reader is slow', async () => {
    const options = 'options=-c%20idle_in_transaction_session_timeout%3D200ms'
    const client = await connected(`${cluster.replicaUrl}?${options}`, 'tap')
    let resume = (): void => {}
    const sink = keepingSink(rowCount => {
      if (rowCount !== 1) return true
      setTimeout(() => resume(), 1000)
      return false
    })
    const begin: typeof sink.begin = start => {
      resume = () => start.resume()
      sink.begin(start)
    }
    // In the select list, and not after `from`, where PostgreSQL would make all of it first.
    await runFor(client, `select generate_series(1, 20000), repeat('x', 2000)`, { ...sink, begin })
    expect(sink.rowCount()).to.equal(20_000)
    await client.end()
  })

  it('leaves nothing behind that a function has set when the statement was planned for nobody', async () => {
    const change = async (sql: string): Promise<void> => {
      await runSql(cluster.primaryUrl, sql)
      await cluster.replicaCaughtUp()
    }
    await change(
      `create function sets() returns text immutable language sql as $$${SPELLINGS.query_to_xml}$$`,
    )
    const replica = replicaAt(cluster.replicaUrl)
    try {
      const faultOf = () => ({ file: 'x.sql', line: 1, message: 'refused' })
      const rehearsal = { name: 'x', valueCount: 0, check: () => undefined, faultOf }
      const refused = await replica.rehearse([
        { ...rehearsal, text: 'select sets()' },
        { ...rehearsal, name: 'y', text: 'select no_such_column' },
        { ...rehearsal, text: 'select sets()' },
      ])
      expect(refused?.map(({ definition }) => definition)).to.deep.equal(['y'])
      expect(await rowsOf(replica, SETTING)).to.deep.equal([[hex('on')]])
    } finally {
      await change('drop function sets()')
    }
  })

  describe('of a look-up of keys and of the heartbeat', () => {
    for (const [spelling, text] of Object.entries(SPELLINGS)) {
      it(`leaves nothing behind that it has set by way of ${spelling}`, async () => {
        const id = `(${text}) || ' ' || current_setting('${READ_ONLY}')`
        const select = `select key_hash, ${id} as organization_id, 'Europe/Moscow' as time_zone, true as entitled
          from unnest($1::bytea[]) as key_hash`
        const loaded = load({ 'reports/shop/sales.sql': REPORT }).access
        const inFile = ACCESS.replace(':key_hashes', '($1::bytea[])')
        let shown = select
        const keys = createKeyDatabase({
          connectionString: cluster.replicaUrl,
          poolSize: 1,
          connectTimeoutMs: 5000,
          timeoutMs: 5000,
          prepared: 'off',
          access: () => ({ ...loaded, text: loaded.text.replace(inFile, () => shown) }),
          observe: () => {},
          now,
        })
        const hash = createHash('sha256').update('key').digest('hex')
        try {
          expect((await keys.find([hash])).size).to.equal(1)
          shown = select.replace(`(${text})`, `''`)
          expect((await keys.find([hash])).get(hash)).to.include({ id: ' on' })
        } finally {
          await keys.close()
        }

        const pool = createPool({
          name: 'probe',
          connectionString: cluster.replicaUrl,
          max: 1,
          connectTimeoutMs: 5000,
          observe: () => {},
        })
        try {
          const beat = `select '1' as written_ms from (${text}) as set`
          expect(await readHeartbeat(pool, beat, 5000)).to.deep.equal({ writtenMs: 1 })
          const { error } = await readHeartbeat(pool, 'select 1 / 0', 5000)
          expect(error).to.include({ code: '22012' })
          const { rows } = await pool.query(SETTING)
          expect(rows).to.deep.equal([{ current_setting: 'on' }])
        } finally {
          await pool.end()
        }
      })
    }
  })

  for (const mode of ['transaction', 'session'] as const) {
    describe(`behind PgBouncer in ${mode} mode`, () => {
      let pgBouncer: PgBouncer | undefined
      let url: string

      before(async function () {
        needsPgBouncer(this)
        const serverUrl = cluster.urlFor('svodka_reports', 'replica')
        // why: with one connection to the server, each execution meets the session of the one before
        pgBouncer = await startPgBouncer({ mode, serverUrls: [serverUrl], poolSize: 1 })
        url = pgBouncer.urlFor(serverUrl)
      })
      after(() => pgBouncer?.stop())

      it('leaves nothing behind, after an error neither', async () => {
        const replica = replicaAt(url)
        const before = await rowsOf(replica, BACKEND)
        for (const text of Object.values(SPELLINGS)) {
          await rowsOf(replica, text)
          expect(await errorOf(replica, 'select 1 / 0')).to.include({ code: 'internal_error' })
          expect(await rowsOf(replica, SETTING)).to.deep.equal([[hex('on')]])
        }
        expect(await rowsOf(replica, BACKEND), 'the same session').to.deep.equal(before)
      })
    })
  }
})
