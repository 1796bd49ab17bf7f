import { expect } from 'chai'
import { DatabaseClient } from '../../src/serve/database/database-client.ts'
import type { Cluster } from '../../src/demo/cluster.ts'
import { readOnlyRows } from '../../src/serve/database/connection.ts'
import { findWritePrivileges } from '../../src/serve/start/replica-faults.ts'
import { startGateway } from '../harness/gateway.ts'
import { until } from '../harness/until.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { shortenMinutes } from '../harness/short-minutes.ts'
import { run } from '../harness/shops.ts'
import { change, reasonOf } from './execute.ts'
import { casesOf } from './table.ts'

/** A grant, the expected privilege, and the SQL that revokes it. */
const GRANTS = `
  grant insert, truncate on notes.pages to may_write | may_write has insert, truncate on notes.pages | revoke insert, truncate on notes.pages from may_write;
  grant update (body) on notes.pages to may_write | may_write has update (body) on notes.pages | revoke update (body) on notes.pages from may_write;
  grant delete on notes.pages to public | public has delete on notes.pages | revoke delete on notes.pages from public;
  grant insert on notes.pages to "a group"; grant "a group" to may_write | "a group" has insert on notes.pages | revoke insert on notes.pages from "a group";
  grant pg_write_all_data to may_write | it is a member of pg_write_all_data | revoke pg_write_all_data from may_write;
  alter role "a group" superuser; grant "a group" to may_write | it is a member of "a group" | revoke "a group" from may_write;
  grant create on schema notes to may_write | may_write has create on schema notes | revoke create on schema notes from may_write;
  grant create on database svodka_test to may_write | may_write has create on database svodka_test | revoke create on database svodka_test from may_write;
  alter table notes.pages owner to may_write | may_write owns notes.pages | alter table notes.pages owner to another_role;
`

describe('write privileges of a role', () => {
  let cluster: Cluster

  before(async () => {
    cluster = await sharedCluster()
    await change(
      cluster,
      `create role may_write login password '${cluster.passwordOf('may_write')}';
       create role "a group" nologin;
       create schema notes;
       create schema hidden;
       create table notes.pages (id integer, body text);
       create table hidden.pages (id integer);
       grant usage on schema notes to public;
       grant select on notes.pages to may_write;
       grant insert on hidden.pages to public`,
    )
  })
  after(() =>
    change(
      cluster,
      `drop schema notes, hidden cascade;
       drop owned by may_write, "a group";
       drop role may_write, "a group"`,
    ),
  )

  const clients: DatabaseClient[] = []
  afterEach(() => Promise.all(clients.splice(0).map(client => client.end())))

  async function connect(role: string, server: 'replica' | 'primary'): Promise<DatabaseClient> {
    const client = new DatabaseClient({ connectionString: cluster.urlFor(role, server) })
    clients.push(client.on('error', () => {}))
    await client.connect()
    return client
  }

  async function foundOf(role: string): Promise<string | undefined> {
    // why: on the primary no replay has to be awaited
    const client = await connect(role, 'primary')
    return findWritePrivileges(query => readOnlyRows(client, 5000, query))
  }

  it('are none for the recommended roles', async () => {
    for (const role of ['svodka_reports', 'svodka_keys', 'svodka_probe']) {
      expect(await foundOf(role), role).to.equal(undefined)
    }
  })

  for (const [granted = '', expected = '', remedySql = ''] of casesOf(GRANTS)) {
    it(`are named: "${expected}", with the SQL that revokes them`, async () => {
      expect(await foundOf('may_write')).to.equal(undefined)
      await run(cluster.primaryUrl, granted)
      expect(await foundOf('may_write'))
        .to.match(/^the role of reports can write \(/)
        .and.contain(`(${expected}`)
        .and.contain(`. Execute on the primary: ${remedySql}`)
      await run(
        cluster.primaryUrl,
        `${remedySql.replace('another_role', 'postgres')}
         alter role "a group" nosuperuser; revoke "a group" from may_write`,
      )
      expect(await foundOf('may_write')).to.equal(undefined)
    })
  }

  it('are observed once for each change, and degrade readiness', async () => {
    // why: checks are repeated every minute
    const restore = shortenMinutes()
    const urls = {
      DATABASE_URL: cluster.urlFor('may_write', 'replica'),
      KEYS_DATABASE_URL: cluster.urlFor('svodka_keys', 'primary'),
    }
    const gateway = await startGateway(urls, { database: 'demo', unready: true })
    const replica = new URL(cluster.urlFor('may_write', 'replica')).host
    const readyz = async () => (await fetch(`${gateway.opsUrl}/readyz?verbose`)).text()
    await change(cluster, 'grant insert on notes.pages to may_write')
    const found =
      'the role of reports can write (may_write has insert on notes.pages). Execute on the primary: revoke insert on notes.pages from may_write;'
    const degraded = `[+]read-only role degraded: ${replica}: ${found}\n`
    await until(async () => (await readyz()).includes(degraded))
    await new Promise(resolve => setTimeout(resolve, 500))
    await change(cluster, 'revoke insert on notes.pages from may_write')
    await until(async () => (await readyz()).includes('[+]read-only role ok\n'))
    await gateway.stop()
    restore()
    const observed = gateway.observations.filter(({ kind }) => kind === 'write-privileges')
    const fact = { kind: 'write-privileges', replica }
    expect(observed).to.deep.equal([
      { ...fact, found },
      { ...fact, found: undefined },
    ])
  })

  it('end no session if their check is too slow', async () => {
    const client = await connect('may_write', 'primary')
    const locking = await connect('postgres', 'primary')
    await locking.query('begin; lock pg_catalog.pg_auth_members in access exclusive mode')
    const error = await reasonOf(findWritePrivileges(query => readOnlyRows(client, 5000, query)))
    expect(error).to.have.property('code', '57014')
    const { rows } = await client.query(
      `select current_setting('statement_timeout') as timeout, current_setting('transaction_read_only') as is_read_only`,
    )
    expect(rows).to.deep.equal([{ timeout: '0', is_read_only: 'off' }])
  })
})
