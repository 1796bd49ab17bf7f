import { expect } from 'chai'
import { Client } from 'pg'
import type { Cluster } from '../../src/demo/cluster.ts'
import { InvalidAccessRow } from '../../src/serve/access/invalid-access-row.ts'
import type { KeyDatabase } from '../../src/serve/replica/key-database.ts'
import type { Observation } from '../../src/model/observation.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { change } from './execute.ts'
import { accessSelecting, hashOf, idOf, KEY, keyDatabaseAt, selecting } from './look-ups.ts'

/** Prepared statements of a connection, and its process id. */
const PREPARED = `(select count(*) from pg_prepared_statements) || ' ' || pg_backend_pid()`

describe('look-ups of keys', function () {
  this.timeout(60_000)
  let cluster: Cluster
  const opened: KeyDatabase[] = []
  let facts: Observation[] = []

  before(async () => {
    cluster = await sharedCluster()
  })
  beforeEach(() => (facts = []))
  afterEach(() => Promise.all(opened.splice(0).map(keys => keys.close())))

  /** URL of the replica. */
  function keyDatabase(select: string, more: Parameters<typeof keyDatabaseAt>[2] = {}) {
    const access = accessSelecting(select)
    const observe = (fact: Observation): void => void facts.push(fact)
    const keys = keyDatabaseAt(cluster.replicaUrl, () => access, { observe, ...more })
    opened.push(keys)
    return keys
  }

  it('are prepared once on a connection, and not at all with PREPARED=off', async () => {
    const select = selecting({ organization_id: PREPARED })
    const database = keyDatabase(select)
    const first = await idOf(database)
    expect(first).to.match(/^1 \d+$/)
    expect(await idOf(database)).to.equal(first)
    const off = keyDatabase(select, { prepared: 'off' })
    for (const time of [1, 2]) expect(await idOf(off), `look-up ${time}`).to.match(/^0 /)
  })

  it('succeed after a table was altered, even if every connection has prepared them', async () => {
    await change(cluster, 'create table changing_keys as select true as entitled')
    try {
      const id = `pg_backend_pid() || left(pg_sleep(0.1)::text, 0)`
      const entitled = '(select entitled from changing_keys)'
      const database = keyDatabase(selecting({ organization_id: id, entitled }), { poolSize: 2 })
      const backends = await Promise.all([idOf(database), idOf(database)])
      expect(new Set(backends)).to.have.lengthOf(2)
      await change(cluster, `alter table changing_keys alter entitled type text using 't'`)
      expect((await database.find([KEY])).get(KEY)).to.include({ entitled: true })
    } finally {
      await change(cluster, 'drop table changing_keys')
    }
  })

  it('are no longer prepared once a connection has lost one, as behind a pooler', async () => {
    await change(
      cluster,
      `create function prepared_and_lost() returns text language plpgsql as $$
       declare prepared text := ${PREPARED};
       begin execute 'deallocate all'; return prepared; end $$`,
    )
    try {
      const database = keyDatabase(selecting({ organization_id: 'prepared_and_lost()' }))
      expect(await idOf(database)).to.match(/^1 /)
      const second = await idOf(database)
      expect(second).to.match(/^0 /)
      expect(await idOf(database)).to.equal(second)
    } finally {
      await change(cluster, 'drop function prepared_and_lost()')
    }
  })

  describe('whose checks fail', () => {
    const checksFailed = () => facts.filter(({ kind }) => kind === 'access-check-failed')

    it('find organizations while the check of time zones does not respond', async () => {
      const database = keyDatabase(selecting({ time_zone: `'Asia/Omsk'` }))
      const locking = new Client({ connectionString: cluster.primaryUrl })
      await locking.connect()
      try {
        await locking.query('begin; lock pg_catalog.pg_timezone_names in access exclusive mode')
        await cluster.replicaCaughtUp()
        for (const _time of [1, 2, 3]) expect(await idOf(database)).to.equal('7')
        expect(database.checkFailure()).to.match(/^time zones not checked: /)
        expect(checksFailed().length, 'noted once').to.equal(1)
      } finally {
        await locking.end()
      }
      await cluster.replicaCaughtUp()
      expect(await idOf(database), 'a connection that is clean').to.equal('7')
    })

    it('find organizations whose ids cannot be cast', async () => {
      await change(
        cluster,
        `create type broken_id as (id text);
         create function broken(id text) returns broken_id language plpgsql as $$ begin raise exception 'broken'; end $$;
         create cast (text as broken_id) with function broken(text);
         create table broken_ids as select row('7')::broken_id as id`,
      )
      try {
        const id = '(select id from broken_ids)'
        const database = keyDatabase(selecting({ organization_id: id }))
        for (const _time of [1, 2]) expect(await idOf(database)).to.equal('(7)')
        expect(database.checkFailure()).to.equal('ids not checked: broken')
        expect(checksFailed().length, 'noted once').to.equal(1)
      } finally {
        await change(cluster, 'drop table broken_ids; drop type broken_id cascade')
      }
    })
  })

  // Other invalid rows are tested in test/contract/access-rows.test.ts.
  describe('with invalid rows', () => {
    const [good, bad] = [hashOf('good'), hashOf('bad')]

    /** The id for each key, or the fault of its row. */
    async function foundOf(select: string): Promise<ReadonlyArray<string | undefined>> {
      const found = await keyDatabase(select).find([good, bad])
      return [good, bad].map(hash => {
        const organization = found.get(hash)
        return organization instanceof InvalidAccessRow ? organization.message : organization?.id
      })
    }

    it('make keys without a row unavailable instead of unknown, if a row has no hash', async () => {
      const none = `case when hash = '\\x${bad}' then null else hash end`
      const [ofGood, ofOther] = await foundOf(selecting({ key_hash: none }))
      expect(ofGood).to.equal('7')
      expect(ofOther).to.contain('key_hash is null, expected the SHA-256 hash of a key')
    })

    it('make keys unavailable instead of unknown or locked, if the hash is no bytea or entitled no boolean', async () => {
      const [ofText] = await foundOf(selecting({ key_hash: `encode(hash, 'hex')` }))
      expect(ofText).to.contain('key_hash is not bytea, expected the SHA-256 hash of a key')
      const [ofYes] = await foundOf(selecting({ entitled: `'yes'` }))
      expect(ofYes).to.contain('entitled is "yes", expected a boolean')
    })

    for (const [title, type, expected] of [
      [
        'an id that its type does not take any more concerns its own key only',
        `create domain checked_id as text;
         create table checked_ids as select hash, id::checked_id as id from keys_of_ids;
         alter domain checked_id add check (value <> 'bad') not valid`,
        [/^good$/, /"bad"::public\.checked_id::text is "an error: .*violates check constraint/],
      ],
      [
        'ids that are other texts after a cast are not valid',
        `create type checked_id as (id text);
         create function cut(id text) returns checked_id language sql immutable as 'select row(left(id, 4))::checked_id';
         create cast (text as checked_id) with function cut(text);
         create table checked_ids as select hash, row(id)::checked_id as id from keys_of_ids`,
        [/checked_id::text is .*, expected the same text$/, /expected the same text$/],
      ],
    ] as const) {
      it(title, async () => {
        await change(
          cluster,
          `create table keys_of_ids as select * from (values ('\\x${good}'::bytea, 'good'), ('\\x${bad}', 'bad')) as own (hash, id);
           ${type}`,
        )
        try {
          const found = await foundOf(
            `select checked_ids.hash as key_hash, id as organization_id, 'UTC' as time_zone, true as entitled
             from checked_ids join unnest($1::bytea[]) as asked on asked = checked_ids.hash`,
          )
          found.forEach((one, at) => expect(one).to.match(expected[at]!))
        } finally {
          await change(cluster, 'drop table keys_of_ids, checked_ids; drop type checked_id cascade')
        }
      })
    }
  })
})
