import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { createKeyDatabase, type KeyDatabase } from '../../src/replica/key-database.ts'
import { ACCESS, load, REPORT } from '../definitions/sql-folder.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run as runSql } from '../support/shops.ts'

describe('look-ups of keys', function () {
  this.timeout(30_000)
  let cluster: Cluster
  let keys: KeyDatabase | undefined

  before(async () => {
    cluster = await sharedCluster()
  })
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
    const access = { ...loaded, text: loaded.text.replace(inFile, () => select) }
    keys = createKeyDatabase({
      connectionString: cluster.replicaUrl,
      poolSize,
      connectTimeoutMs: 5000,
      timeoutMs: 5000,
      prepared,
      access: () => access,
      observe: () => {},
      now: () => performance.now(),
    })
    return keys
  }

  async function zoneOf(database: KeyDatabase): Promise<string | undefined> {
    return (await database.find([KEY])).get(KEY)?.timeZone
  }

  /** What a connection has prepared when it is asked, and its process. */
  const PREPARED = `(select count(*) from pg_prepared_statements) || ' ' || pg_backend_pid()`

  it('are prepared once on a connection', async () => {
    const database = keyDatabase(selecting({ time_zone: PREPARED }))
    const first = await zoneOf(database)
    expect(first).to.match(/^1 \d+$/)
    expect(await zoneOf(database)).to.equal(first)
  })

  it('are not prepared with PREPARED=off', async () => {
    const database = keyDatabase(selecting({ time_zone: PREPARED }), 1, 'off')
    for (const time of [1, 2]) expect(await zoneOf(database), `look-up ${time}`).to.match(/^0 /)
  })

  it('are answered after a table was changed, though every connection has prepared them', async () => {
    await change('create table changing_keys as select true as entitled')
    try {
      const zone = `pg_backend_pid() || left(pg_sleep(0.1)::text, 0)`
      const entitled = '(select entitled from changing_keys)'
      const database = keyDatabase(selecting({ time_zone: zone, entitled }), 2)
      const backends = await Promise.all([zoneOf(database), zoneOf(database)])
      expect(new Set(backends)).to.have.lengthOf(2)
      await change(`alter table changing_keys alter entitled type text using 't'`)
      expect((await database.find([KEY])).get(KEY)).to.include({ id: '7', entitled: true })
    } finally {
      await change('drop table changing_keys')
    }
  })

  it('are no longer prepared where a connection has lost one, as behind a pooler', async () => {
    await change(`create function prepared_and_lost() returns text language plpgsql as $$
      declare prepared text := ${PREPARED};
      begin execute 'deallocate all'; return prepared; end $$`)
    try {
      const database = keyDatabase(selecting({ time_zone: 'prepared_and_lost()' }))
      expect(await zoneOf(database)).to.match(/^1 /)
      const second = await zoneOf(database)
      expect(second).to.match(/^0 /)
      expect(await zoneOf(database)).to.equal(second)
    } finally {
      await change('drop function prepared_and_lost()')
    }
  })

  for (const column of ['key_hash', 'organization_id', 'time_zone'] as const) {
    it(`fail where ${column} is null, naming the file`, async () => {
      const type = { key_hash: 'bytea', organization_id: 'integer', time_zone: 'text' }[column]
      const database = keyDatabase(selecting({ [column]: `null::${type}` }))
      const error: unknown = await database.find([KEY]).catch((error: unknown) => error)
      expect(error).to.be.an('error')
      expect(String(error)).to.match(/sql\/access\/\S+\.sql: \w+ of a key is null$/)
      expect(String(error)).to.contain(` ${column} of`)
    })
  }
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
