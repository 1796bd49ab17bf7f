// Partitioned tables, views, materialized views, and a table of another schema.
import { expect } from 'chai'
import { loaded } from './bad-definitions.ts'
import { useProduct } from './use-product.ts'

const SCHEMA = `
create table visits (organization_id bigint not null, id bigint not null, day date not null, name text not null)
    partition by range (day);
create table visits_before partition of visits for values from (minvalue) to ('2026-01-01');
create table visits_since partition of visits for values from ('2026-01-01') to (maxvalue);
create index on visits (organization_id, day);
create table rooms (organization_id bigint not null, id bigint primary key, name text not null, tags text[]);
create view all_rooms as select rooms.organization_id, rooms.id, rooms.name from rooms where rooms.id > 0;
create materialized view kept_rooms as select organization_id, id, name from rooms;
create schema archive;
create table archive.rooms (organization_id bigint not null, id bigint primary key, name text not null);

insert into visits
select number % 3 + 1, number, date '2025-06-01' + number, 'Гость ' || number % 5 from generate_series(1, 400) as number;
insert into rooms
select number % 3 + 1, number, 'Комната ' || number % 4 from generate_series(1, 40) as number;
insert into archive.rooms select organization_id, id, name from rooms;
refresh materialized view kept_rooms;
analyze;`

const TENANCY = `
visits: organization_id
rooms: organization_id
all_rooms: organization_id
kept_rooms: organization_id
archive_rooms: { table: archive.rooms, tenancy: organization_id }
`

describe('relations of every kind', () => {
  const product = useProduct({
    database: 'svodka_shapes',
    schema: SCHEMA,
    tenancy: TENANCY,
    ids: ['1', '2', '77'],
  })

  async function found(table: string, order: string): Promise<string[]> {
    const definition = await loaded(
      `
select x.id::text as name, x.id as amount
from ${table} as x
where :period_end > :period_start
order by x.${order}`,
      TENANCY,
    )
    return (await product.found(definition)).findings
  }

  for (const table of ['visits', 'all_rooms', 'kept_rooms', 'archive_rooms']) {
    it(`need a complete order: ${table}`, async () => {
      expect(await found(table, 'id')).to.deep.equal([])
      const [tied, ...more] = await found(table, 'name')
      expect(tied).to.match(/^12: (two rows tie|the order of the rows depends)/)
      expect(more).to.deep.equal([])
    })
  }
})
