// Organizations are held apart where a table is in partitions, behind a view, or kept as one.
import { expect } from 'chai'
import { Client } from 'pg'
import { createReplicaCheck, type ReplicaCheck } from '../../src/check/on-replica.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run } from '../support/shops.ts'
import { planted } from './planted.ts'

const DATABASE = 'svodka_shapes'

const SCHEMA = `
create table visits (organization_id bigint not null, id bigint not null, day date not null, guest text not null)
    partition by range (day);
create table visits_before partition of visits for values from (minvalue) to ('2026-01-01');
create table visits_since partition of visits for values from ('2026-01-01') to (maxvalue);
create index on visits (organization_id, day);
create table rooms (organization_id bigint not null, id bigint primary key, name text not null, tags text[]);
create view all_rooms as select rooms.organization_id, rooms.id, rooms.name as title from rooms where rooms.id > 0;
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

const ORGANIZATIONS = ['1', '2', '77'].map(id => ({
  id,
  idType: 'bigint',
  timeZone: 'Europe/Moscow',
  entitled: true,
}))
const NOON = Date.parse('2026-11-21T09:00:00Z')

function selecting(table: string, condition: string, order: string, name = 'name'): string {
  return `
select ${table}.${name} as name, ${table}.id as amount
from ${table}
where ${condition}
  and (:organization_id) is not null
  and :period_end > :period_start
order by ${order}`
}

const held = (table: string) => `${table}.organization_id = :organization_id`

describe('tables of every shape', () => {
  let client: Client
  let check: ReplicaCheck

  before(async function () {
    this.timeout(30_000)
    const cluster = await sharedCluster()
    await run(cluster.primaryUrl, `drop database if exists ${DATABASE} with (force)`)
    await run(cluster.primaryUrl, `create database ${DATABASE}`)
    await run(cluster.urlFor('postgres', 'primary', DATABASE), SCHEMA)
    await cluster.replicaCaughtUp()
    client = new Client({ connectionString: cluster.urlFor('postgres', 'replica', DATABASE) })
    await client.connect()
    const catalog = { reports: new Map(), metricsFiles: new Map() }
    check = await createReplicaCheck({
      client,
      organizations: ORGANIZATIONS,
      catalog,
      now: () => NOON,
    })
  })
  after(() => client?.end())

  const found = async (sql: string) =>
    (await check(planted({ sql }))).findings.map(({ line, message }) => `${line}: ${message}`)

  const sound = {
    'a partitioned table': selecting('visits', held('visits'), 'visits.id', 'guest'),
    'a view': selecting('all_rooms', held('all_rooms'), 'all_rooms.id', 'title'),
    'a materialized view': selecting('kept_rooms', held('kept_rooms'), 'kept_rooms.id'),
    'a table of another schema': selecting('archive.rooms', held('rooms'), 'rooms.id').replaceAll(
      'archive.rooms.',
      'rooms.',
    ),
  }
  for (const [shape, sql] of Object.entries(sound)) {
    it(`have no finding where each has its condition: ${shape}`, async () => {
      expect(await found(sql)).to.deep.equal([])
    })
    it(`are found to lack their condition: ${shape}`, async () => {
      const loose = sql.replace(/\S+ = :organization_id/, 'true')
      expect(await found(loose)).to.have.length(1)
      expect((await found(loose))[0]).to.match(
        /^13: .* is read without its organization's condition/,
      )
    })
  }

  const tied = {
    'a partitioned table': selecting('visits', held('visits'), 'visits.guest', 'guest'),
    'a view': selecting('all_rooms', held('all_rooms'), 'all_rooms.title', 'title'),
    'a materialized view': selecting('kept_rooms', held('kept_rooms'), 'kept_rooms.name'),
  }
  for (const [shape, sql] of Object.entries(tied)) {
    it(`are found to tie: ${shape}`, async () => {
      expect(await found(sql)).to.have.length(1)
      expect((await found(sql))[0]).to.match(/^17: (two rows tie|the order of the rows hangs)/)
    })
  }
})
