import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { Client } from 'pg'
import type { Cluster } from '../../src/demo/cluster.ts'
import { InvalidAccessRow } from '../../src/access/invalid-access-row.ts'
import type { FoundByKey } from '../../src/access/organization-lookup.ts'
import { createKeyDatabase, type KeyDatabase } from '../../src/replica/key-database.ts'
import type { Observation } from '../../src/observation.ts'
import type { Organization } from '../../src/terms.ts'
import { ACCESS, load, REPORT } from '../definitions/sql-folder.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run as runSql } from '../support/shops.ts'

describe('look-ups of keys', function () {
  this.timeout(30_000)
  let cluster: Cluster
  let keys: KeyDatabase | undefined
  let facts: Observation[] = []

  before(async () => {
    cluster = await sharedCluster()
  })
  beforeEach(() => (facts = []))
  afterEach(() => keys?.close())

  const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
  const KEY = hashOf('key')

  async function change(sql: string): Promise<void> {
    await runSql(cluster.primaryUrl, sql)
    await cluster.replicaCaughtUp()
  }

  /** On the replica; `select` stands in for what the access file has, and may ask what a file may not. */
  function keyDatabase(
    select: string,
    poolSize = 1,
    prepared: 'auto' | 'off' = 'auto',
  ): KeyDatabase {
    const loaded = load({ 'reports/shop/sales.sql': REPORT }).access
    const inFile = ACCESS.replace(':key_hashes', '($1::bytea[])')
    const own = (text: string): string => text.replace(inFile, () => select)
    const access = { ...loaded, text: own(loaded.text), idTypeText: own(loaded.idTypeText) }
    keys = createKeyDatabase({
      connectionString: cluster.replicaUrl,
      poolSize,
      connectTimeoutMs: 5000,
      timeoutMs: 5000,
      prepared,
      access: () => access,
      observe: fact => facts.push(fact),
      now: () => performance.now(),
    })
    return keys
  }

  async function idOf(database: KeyDatabase): Promise<string | undefined> {
    return organizationIn(await database.find([KEY]))?.id
  }

  function organizationIn(found: FoundByKey): Organization | undefined {
    const organization = found.get(KEY)
    if (organization instanceof InvalidAccessRow) throw organization
    return organization
  }

  /** What a connection has prepared when it is asked, and its process. */
  const PREPARED = `(select count(*) from pg_prepared_statements) || ' ' || pg_backend_pid()`

  it('are prepared once on a connection', async () => {
    const database = keyDatabase(selecting({ organization_id: PREPARED }))
    const first = await idOf(database)
    expect(first).to.match(/^1 \d+$/)
    expect(await idOf(database)).to.equal(first)
  })

  it('are not prepared with PREPARED=off', async () => {
    const database = keyDatabase(selecting({ organization_id: PREPARED }), 1, 'off')
    for (const time of [1, 2]) expect(await idOf(database), `look-up ${time}`).to.match(/^0 /)
  })

  it('are answered after a table was changed, though every connection has prepared them', async () => {
    await change('create table changing_keys as select true as entitled')
    try {
      const id = `pg_backend_pid() || left(pg_sleep(0.1)::text, 0)`
      const entitled = '(select entitled from changing_keys)'
      const database = keyDatabase(selecting({ organization_id: id, entitled }), 2)
      const backends = await Promise.all([idOf(database), idOf(database)])
      expect(new Set(backends)).to.have.lengthOf(2)
      await change(`alter table changing_keys alter entitled type text using 't'`)
      expect((await database.find([KEY])).get(KEY)).to.include({ entitled: true })
    } finally {
      await change('drop table changing_keys')
    }
  })

  it('are no longer prepared where a connection has lost one, as behind a pooler', async () => {
    await change(`create function prepared_and_lost() returns text language plpgsql as $$
      declare prepared text := ${PREPARED};
      begin execute 'deallocate all'; return prepared; end $$`)
    try {
      const database = keyDatabase(selecting({ organization_id: 'prepared_and_lost()' }))
      expect(await idOf(database)).to.match(/^1 /)
      const second = await idOf(database)
      expect(second).to.match(/^0 /)
      expect(await idOf(database)).to.equal(second)
    } finally {
      await change('drop function prepared_and_lost()')
    }
  })

  it('tell the type of ids as a cast takes it, and reject one that no text can be cast to', async () => {
    const idTypes = { '7': 'integer', [`'A'::char(4)`]: 'bpchar', [`'101'::bit(3)`]: '"bit"' }
    for (const [id, idType] of Object.entries(idTypes)) {
      expect(await keyDatabase(selecting({ organization_id: id })).idType()).to.equal(idType)
      await keys?.close()
    }
    const ofRecords = keyDatabase(selecting({ organization_id: 'row(7, 8)' })).idType()
    const error: unknown = await ofRecords.catch((error: unknown) => error)
    expect(String(error)).to.equal(
      'IdTypeError: sql/access/organization_by_key.sql: organization_id: no text can be cast to "record"',
    )
  })

  describe('whose checks fail', () => {
    const checksFailed = () => facts.filter(({ kind }) => kind === 'access-check-failed')

    it('find organizations while PostgreSQL does not answer about time zones', async () => {
      const locking = new Client({ connectionString: cluster.primaryUrl })
      await locking.connect()
      try {
        await locking.query('begin; lock pg_catalog.pg_timezone_names in access exclusive mode')
        await cluster.replicaCaughtUp()
        const database = keyDatabase(selecting({ time_zone: `'Asia/Omsk'` }))
        for (const _time of [1, 2, 3]) expect(await idOf(database)).to.equal('7')
        expect(database.checkFailure()).to.match(/^time zones not checked: /)
        expect(checksFailed().length, 'noted once').to.equal(1)
      } finally {
        await locking.end()
      }
      await cluster.replicaCaughtUp()
      expect(await idOf(keys!), 'a connection that is clean').to.equal('7')
    })

    it('find organizations whose ids cannot be cast', async () => {
      await change(`create type broken_id as (id text);
        create function broken(id text) returns broken_id language plpgsql as $$ begin raise exception 'broken'; end $$;
        create cast (text as broken_id) with function broken(text);
        create table broken_ids as select row('7')::broken_id as id`)
      try {
        const id = '(select id from broken_ids)'
        const database = keyDatabase(selecting({ organization_id: id }))
        for (const _time of [1, 2]) expect(await idOf(database)).to.equal('(7)')
        expect(database.checkFailure()).to.equal('ids not checked: broken')
        expect(checksFailed().length, 'noted once').to.equal(1)
      } finally {
        await change('drop table broken_ids; drop type broken_id cascade')
      }
    })
  })

  describe('of rows that are not valid', () => {
    const [good, bad] = [hashOf('good'), hashOf('bad')]

    /** The id that each key finds, or what is wrong with its row. */
    async function foundOf(select: string): Promise<ReadonlyArray<string | undefined>> {
      const found = await keyDatabase(select).find([good, bad])
      return [good, bad].map(hash => {
        const organization = found.get(hash)
        return organization instanceof InvalidAccessRow ? organization.message : organization?.id
      })
    }
    const ofBad = (column: string, sql: string): string => {
      const type = column === 'organization_id' ? `'good'::text` : `'UTC'`
      const own = `case when hash = '\\x${bad}' then ${sql} else ${type} end`
      return selecting({ organization_id: `'good'::text`, [column]: own })
    }
    const FROM_CHECKED_IDS = `select checked_ids.hash as key_hash, id as organization_id, 'UTC' as time_zone, true as entitled
      from checked_ids join unnest($1::bytea[]) as asked on asked = checked_ids.hash`
    const ACCESS_FILE = 'sql/access/organization_by_key.sql'

    for (const [column, sql, fault] of [
      ['organization_id', 'null', 'an organization: organization_id is null, expected an id'],
      ['time_zone', 'null', 'organization "good": time_zone is null, expected an IANA name'],
      ['time_zone', `'Mars/Olympus'`, '"Mars/Olympus", which Node does not know, expected an IANA'],
      ['time_zone', `'+03:00'`, '"+03:00", an offset, expected an IANA name such as Europe/Moscow'],
      ['time_zone', `'MSK-3'`, '"MSK-3", an offset, expected an IANA name'],
    ] as const) {
      it(`concern their own keys only: ${column} is ${sql}`, async () => {
        const [ofGood, ofOther] = await foundOf(ofBad(column, sql))
        expect(ofGood).to.equal('good')
        expect(ofOther)
          .to.match(/^sql\/access\/organization_by_key\.sql: /)
          .and.contain(fault)
      })
    }

    it('concern their own keys only: two rows for one key, of which neither wins', async () => {
      const two = `select hash as key_hash, id as organization_id, 'UTC' as time_zone, true as entitled
        from unnest($1::bytea[]) as hash
        join (values ('\\x${good}'::bytea, 'good'), ('\\x${bad}', 'first'), ('\\x${bad}', 'second')) as own (of, id) on of = hash`
      expect(await foundOf(two)).to.deep.equal([
        'good',
        `${ACCESS_FILE}: organization "first": two rows for one key, the other with "second", expected one`,
      ])
    })

    it('concern their own keys only: an id that its type does not take any more', async () => {
      await change(`create domain checked_id as text;
        create table checked_ids as select hash, id::checked_id as id
        from (values ('\\x${good}'::bytea, 'good'), ('\\x${bad}', 'bad')) as own (hash, id);
        alter domain checked_id add check (value <> 'bad') not valid`)
      try {
        const [ofGood, ofOther] = await foundOf(FROM_CHECKED_IDS)
        expect(ofGood).to.equal('good')
        expect(ofOther)
          .to.contain('"bad"::public.checked_id::text is "an error: ')
          .and.contain('violates check constraint')
      } finally {
        await change('drop table checked_ids; drop domain checked_id')
      }
    })

    it('are ids that are other texts after a cast', async () => {
      await change(`create type cut_id as (id text);
        create function cut(id text) returns cut_id language sql immutable as 'select row(left(id, 4))::cut_id';
        create cast (text as cut_id) with function cut(text);
        create table checked_ids as select hash, row(id)::cut_id as id
        from (values ('\\x${good}'::bytea, 'good'), ('\\x${bad}', 'bad')) as own (hash, id)`)
      try {
        for (const fault of await foundOf(FROM_CHECKED_IDS)) {
          expect(fault).to.match(
            /organization_id: .*::public\.cut_id::text is .*, expected the same text$/,
          )
        }
      } finally {
        await change('drop table checked_ids; drop type cut_id cascade')
      }
    })

    it('make keys that have no row unavailable where a row has no hash, instead of unknown', async () => {
      const none = `case when hash = '\\x${bad}' then null else hash end`
      const [ofGood, ofOther] = await foundOf(selecting({ key_hash: none }))
      expect(ofGood).to.equal('7')
      expect(ofOther).to.contain('key_hash is null, expected the SHA-256 hash of a key')
    })
  })
})

function selecting(columns: Readonly<Record<string, string>>): string {
  const all = {
    key_hash: 'hash',
    organization_id: '7',
    time_zone: `'UTC'`,
    entitled: 'true',
    ...columns,
  }
  const list = Object.entries(all).map(([name, sql]) => `${sql} as ${name}`)
  return `select ${list.join(', ')} from unnest($1::bytea[]) as hash`
}
