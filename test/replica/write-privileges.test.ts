import { expect } from 'chai'
import { Client } from 'pg'
import type { Cluster } from '../../src/demo/cluster.ts'
import type { Observation } from '../../src/observation.ts'
import { createPrivilegeCheck } from '../../src/replica/privilege-check.ts'
import { findWritePrivileges, type WritePrivilege } from '../../src/replica/write-privileges.ts'
import { sharedCluster } from '../support/cluster.ts'
import { startGateway } from '../support/gateway.ts'
import { run as runSql } from '../support/shops.ts'

const ROLE = 'may_write'

describe('what a role may write', function () {
  this.timeout(60_000)
  let cluster: Cluster

  before(async () => {
    cluster = await sharedCluster()
    await change(
      `create role ${ROLE} login password '${cluster.passwordOf(ROLE)}'`,
      'create role "a group" nologin',
      'create schema notes',
      'create schema hidden',
      'create table notes.pages (id integer, body text)',
      'create table hidden.pages (id integer)',
      `grant usage on schema notes to public`,
      `grant select on notes.pages to ${ROLE}`,
      `grant insert on hidden.pages to public`,
    )
  })
  after(() =>
    change(
      'drop schema notes, hidden cascade',
      `drop owned by ${ROLE}, "a group"`,
      `drop role ${ROLE}, "a group"`,
    ),
  )

  async function change(...sql: readonly string[]): Promise<void> {
    for (const each of sql) await runSql(cluster.primaryUrl, each)
    await cluster.replicaCaughtUp()
  }

  async function connect(role: string): Promise<Client> {
    const client = new Client({ connectionString: cluster.urlFor(role, 'replica') })
    await client.connect()
    return client
  }

  async function foundOf(role: string): Promise<readonly WritePrivilege[]> {
    const client = await connect(role)
    try {
      return await findWritePrivileges(client, 5000)
    } finally {
      await client.end()
    }
  }

  it('is nothing for the roles that we recommend', async () => {
    for (const role of ['svodka_reports', 'svodka_keys', 'svodka_probe']) {
      expect(await foundOf(role), role).to.deep.equal([])
    }
  })

  it('is everything for a superuser, and nothing else is listed', async () => {
    expect(await foundOf('postgres')).to.deep.equal([
      { found: 'it is a superuser', mend: 'alter role postgres nosuperuser;' },
    ])
  })

  for (const [granted, found, mend] of [
    [
      `grant insert, truncate on notes.pages to ${ROLE}`,
      `${ROLE} has insert, truncate on notes.pages`,
      `revoke insert, truncate on notes.pages from ${ROLE};`,
    ],
    [
      `grant update (body) on notes.pages to ${ROLE}`,
      `${ROLE} has update (body) on notes.pages`,
      `revoke update (body) on notes.pages from ${ROLE};`,
    ],
    [
      'grant delete on notes.pages to public',
      'public has delete on notes.pages',
      'revoke delete on notes.pages from public;',
    ],
    [
      `grant insert on notes.pages to "a group"; grant "a group" to ${ROLE}`,
      '"a group" has insert on notes.pages',
      'revoke insert on notes.pages from "a group";',
    ],
    [
      `grant pg_write_all_data to ${ROLE}`,
      'it is a member of pg_write_all_data',
      `revoke pg_write_all_data from ${ROLE};`,
    ],
    [
      `alter role "a group" superuser; grant "a group" to ${ROLE}`,
      'it is a member of "a group", a superuser',
      `revoke "a group" from ${ROLE};`,
    ],
    [
      `grant create on schema notes to ${ROLE}`,
      `${ROLE} has create on schema notes`,
      `revoke create on schema notes from ${ROLE};`,
    ],
    [
      `grant create on database svodka_test to ${ROLE}`,
      `${ROLE} has create on database svodka_test`,
      `revoke create on database svodka_test from ${ROLE};`,
    ],
  ] as const) {
    it(`names "${found}", and the SQL that takes it away`, async () => {
      expect(await foundOf(ROLE)).to.deep.equal([])
      await change(granted)
      const [first, ...others] = await foundOf(ROLE)
      expect(first).to.deep.equal({ found, mend })
      expect(others).to.deep.equal([])
      await change(mend, 'alter role "a group" nosuperuser', `revoke "a group" from ${ROLE}`)
      expect(await foundOf(ROLE)).to.deep.equal([])
    })
  }

  it('names a table that it owns', async () => {
    await change(`alter table notes.pages owner to ${ROLE}`)
    const [first] = await foundOf(ROLE)
    expect(first?.found).to.equal(`${ROLE} owns notes.pages`)
    await change(first!.mend.replace('another_role', 'postgres'))
    expect(await foundOf(ROLE)).to.deep.equal([])
  })

  it('is observed once for each change, and asked once a minute', async () => {
    const observations: Observation[] = []
    let now = 0
    const privileges = createPrivilegeCheck({
      timeoutMs: 5000,
      observe: fact => void observations.push(fact),
      elapsed: () => now,
    })
    const client = await connect(ROLE)
    try {
      await privileges.check(client)
      expect(observations).to.deep.equal([])
      await change(`grant insert on notes.pages to ${ROLE}`)
      await privileges.check(client)
      expect(privileges.found(), 'within the minute').to.equal(undefined)
      for (const minute of [1, 2]) {
        now = minute * 60_000
        await privileges.check(client)
      }
      const words = `the role of reports can write (${ROLE} has insert on notes.pages). Execute on the primary: revoke insert on notes.pages from ${ROLE};`
      expect(privileges.found()).to.equal(words)
      await change(`revoke insert on notes.pages from ${ROLE}`)
      now = 180_000
      await privileges.check(client)
      expect(observations).to.deep.equal([
        { kind: 'write-privileges', found: words },
        { kind: 'write-privileges', found: undefined },
      ])
    } finally {
      await client.end()
    }
  })

  it('costs no session where the catalogs do not answer in time', async () => {
    const timeoutMs = 2000
    const privileges = createPrivilegeCheck({ timeoutMs, observe: () => {} })
    const client = new Client({ connectionString: cluster.urlFor(ROLE, 'primary') })
    const locking = new Client({ connectionString: cluster.primaryUrl })
    await Promise.all([client.connect(), locking.connect()])
    try {
      await locking.query('begin; lock pg_catalog.pg_auth_members in access exclusive mode')
      await privileges.check(client)
      const { rows } = await client.query(
        `select current_setting('statement_timeout') as timeout, current_setting('transaction_read_only') as is_read_only`,
      )
      expect(rows).to.deep.equal([{ timeout: '0', is_read_only: 'off' }])
    } finally {
      await locking.end()
      await client.end()
    }
  })

  it('makes a gateway degraded, which is ready all the same', async () => {
    for (const [role, line] of [
      [
        'postgres',
        /^\[\+\]read-only role degraded: \S+:\d+: .* \(it is a superuser\)\. Execute on the primary: alter role postgres/m,
      ],
      ['svodka_reports', /^\[\+\]read-only role ok$/m],
    ] as const) {
      const gateway = await startGateway({
        DATABASE_URL: cluster.urlFor(role, 'replica'),
        KEYS_DATABASE_URL: cluster.urlFor('svodka_keys', 'primary'),
        PROBE_DATABASE_URL: cluster.urlFor('svodka_probe', 'replica'),
      })
      try {
        await gateway.ready()
        const answer = await fetch(`${gateway.opsUrl}/readyz?verbose`)
        expect(await answer.text()).to.match(line)
        const observed = gateway.observations.some(({ kind }) => kind === 'write-privileges')
        expect(observed, 'that it is told to the log').to.equal(role === 'postgres')
      } finally {
        await gateway.stop()
      }
    }
  })
})
