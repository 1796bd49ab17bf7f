// A day begins at the first instant with its local date, whatever the zone's midnight does.
import { expect } from 'chai'
import { fixtures } from '../harness/fixtures.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { shopsFolder } from './gateways.ts'

/** The first and the last quarter of an hour of one day. */
const DAYS = `
Atlantic/Azores      2026-10-24 2026-10-24T00:00:00+00:00 2026-10-24T23:45:00+00:00
Atlantic/Azores      2026-10-25 2026-10-25T00:00:00+00:00 2026-10-25T23:45:00-01:00
Atlantic/Azores      2026-10-26 2026-10-26T00:00:00-01:00 2026-10-26T23:45:00-01:00
America/Havana       2026-10-31 2026-10-31T00:00:00-04:00 2026-10-31T23:45:00-04:00
America/Havana       2026-11-01 2026-11-01T00:00:00-04:00 2026-11-01T23:45:00-05:00
America/Havana       2026-03-08 2026-03-08T01:00:00-04:00 2026-03-08T23:45:00-04:00
Asia/Magadan         2014-10-25 2014-10-25T00:00:00+12:00 2014-10-25T23:45:00+12:00
Asia/Magadan         2014-10-26 2014-10-26T00:00:00+12:00 2014-10-26T23:45:00+10:00
Asia/Chita           2014-10-26 2014-10-26T00:00:00+10:00 2014-10-26T23:45:00+08:00
America/Sao_Paulo    2018-11-04 2018-11-04T01:00:00-02:00 2018-11-04T23:45:00-02:00
America/Sao_Paulo    2018-02-17 2018-02-17T00:00:00-02:00 2018-02-17T23:45:00-03:00
America/Sao_Paulo    2018-02-18 2018-02-18T00:00:00-03:00 2018-02-18T23:45:00-03:00
Asia/Beirut          2026-03-29 2026-03-29T01:00:00+03:00 2026-03-29T23:45:00+03:00
America/Scoresbysund 2026-03-28 2026-03-28T00:00:00-02:00 2026-03-28T22:45:00-02:00
America/Scoresbysund 2026-03-29 2026-03-29T00:00:00-01:00 2026-03-29T23:45:00-01:00
America/Scoresbysund 2026-10-24 2026-10-24T00:00:00-01:00 2026-10-24T23:45:00-02:00
America/Scoresbysund 2026-10-25 2026-10-25T00:00:00-02:00 2026-10-25T23:45:00-02:00
Africa/Cairo         2026-04-24 2026-04-24T01:00:00+03:00 2026-04-24T23:45:00+03:00
Africa/Cairo         2026-10-29 2026-10-29T00:00:00+03:00 2026-10-29T23:45:00+02:00
Africa/Cairo         2026-10-30 2026-10-30T00:00:00+02:00 2026-10-30T23:45:00+02:00
Pacific/Apia         2011-12-29 2011-12-29T00:00:00-10:00 2011-12-29T23:45:00-10:00
Pacific/Apia         2011-12-31 2011-12-31T00:00:00+14:00 2011-12-31T23:45:00+14:00
Australia/Lord_Howe  2026-04-05 2026-04-05T00:00:00+11:00 2026-04-05T23:45:00+10:30
`

/** The name of a time zone is the key of an organization in it. */
const ACCESS = `
select sha256(zones.name::bytea) as key_hash, shops.id as organization_id, zones.name as time_zone, true as entitled
from shops
cross join unnest('{${DAYS.match(/^\w+\/\w+/gm)!.join()},America/St_Johns}'::text[]) as zones (name)
where sha256(zones.name::bytea) = any (:key_hashes)
  and shops.id = 1
limit 1
`

describe('a day', () => {
  const world = shopsGateway({
    SQL_DIR: shopsFolder({
      ...fixtures('reports/sales/days'),
      'access/organization_by_key.sql': ACCESS,
    }),
  })

  const rowsOf = async (zone: string, day: string): Promise<readonly unknown[]> =>
    (await world.ask(`/reports/days?from=${day}&to=${day}`, { key: zone })).json.rows

  for (const line of DAYS.trim().split('\n')) {
    const [zone = '', day = '', first, last] = line.split(/ +/)
    it(`has the events of its local date and no other: ${day} in ${zone}`, async () => {
      expect(await rowsOf(zone, day)).to.deep.equal([{ day, first, last }])
    })
  }

  it('has no events if the calendar skips it', async () => {
    expect(await rowsOf('Pacific/Apia', '2011-12-30')).to.deep.equal([])
  })

  it('begins at the first of two midnights, although the day before comes back', async () => {
    const rows = await rowsOf('America/St_Johns', '2005-10-30')
    expect(rows).to.deep.equal([
      {
        day: '2005-10-29',
        first: '2005-10-29T23:15:00-03:30',
        last: '2005-10-29T23:45:00-03:30',
      },
      {
        day: '2005-10-30',
        first: '2005-10-30T00:00:00-02:30',
        last: '2005-10-30T23:45:00-03:30',
      },
    ])
  })
})
