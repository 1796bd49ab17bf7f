import { expect } from 'chai'
import type { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { overTls, standbyWithTls } from '../harness/tls.ts'
import { connected, hex, hexRows, hexRowsOfPg } from './rows.ts'

/** One to four bytes a character, and characters that JSON escapes. */
const TEXT = 'aя€🙂"\\\n'

const EVERY_TYPE = `select
  null::text, '', '${TEXT}', 'ab '::char(3), 'v'::varchar, 'c'::"char", 'n'::name,
  true, false, 1::int2, -2::int4, 9007199254740993::int8, 12.50::numeric, 'NaN'::numeric,
  'Infinity'::numeric, 0.1::float4, 'NaN'::float8, '12.34'::money, date '2026-03-01', date 'infinity',
  timestamptz '2026-03-01 10:00:00.25+00', timestamp '2026-03-01 10:00:00', time '10:00', interval '1 day 2 hours',
  '\\x00ff'::bytea, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, '{"a": ["я", null]}'::json,
  '{"a": "\\"🙂"}'::jsonb, array['я', null, 'a,"b']::text[], array[[1, 2], [3, 4]], row(1, 'я', null),
  int4range(1, 5), '10.0.0.1/8'::inet, '101'::bit(3), '<a>я</a>'::xml, point(1, 2), 1::oid, '16/B374D848'::pg_lsn`

describe('rows as bytes', () => {
  let url: string
  const clients: DatabaseClient[] = []

  async function rowsOf(text: string, way: 'tap' | 'pg') {
    const client = await connected(url)
    clients.push(client)
    return way === 'tap' ? hexRows(client, text) : hexRowsOfPg(client, text)
  }

  before(async () => {
    url = (await sharedCluster()).replicaUrl
  })
  afterEach(() => Promise.all(clients.splice(0).map(client => client.end())))

  it('are the same by the tap and by pg, for every type', async () => {
    const [row] = await rowsOf(EVERY_TYPE, 'tap')
    expect([row]).to.deep.equal(await rowsOf(EVERY_TYPE, 'pg'))
    expect(row).to.have.length(38)
    expect(row?.slice(0, 3)).to.deep.equal([null, '', hex(TEXT)])
    expect(row?.slice(12, 15)).to.deep.equal(['12.50', 'NaN', 'Infinity'].map(hex))
  })

  it('may be enormous, and may be followed by small ones', async () => {
    const text = `select repeat('я', 3000000) || n, n from generate_series(1, 2) as n
      union all select 'small', 3`
    const rows = await rowsOf(text, 'tap')
    const lengths = rows.map(row => row[0]?.length)
    expect(lengths).to.deep.equal([12_000_002, 12_000_002, 10])
    expect(rows).to.deep.equal(await rowsOf(text, 'pg'))
  })

  it('may have no fields or many, and may be absent', async () => {
    const many = `select ${Array.from({ length: 1600 }, (_, n) => n).join(', ')}`
    for (const text of ['select from generate_series(1, 2)', many, 'select 1 where false']) {
      expect(await rowsOf(text, 'tap'), text).to.deep.equal(await rowsOf(text, 'pg'))
    }
  })

  describe('over TLS', () => {
    const standby = standbyWithTls()

    it('are the same by the tap and by pg', async () => {
      const text = `select n, '${TEXT}' || n, null, repeat('ш', n) from generate_series(1, 2000) as n`
      url = overTls(standby.cluster.replicaUrl)
      const whole = await rowsOf(text, 'pg')
      expect(whole).to.have.length(2000)
      expect(clients[0]!.socket).to.have.property('encrypted', true)
      expect(await rowsOf(text, 'tap')).to.deep.equal(whole)
    })
  })
})
