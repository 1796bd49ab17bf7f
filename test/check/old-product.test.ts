// A product with rows of 1996 to 1998: definitions are executed for those years.
import { expect } from 'chai'
import type { Client } from 'pg'
import {
  createReplicaCheck,
  type ReplicaCheck,
  type ReplicaFindings,
} from '../../src/author/check/on-replica.ts'
import type { Period } from '../../src/model/terms.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
import { loaded, tenancyIn } from './bad-definitions.ts'
import { definitionDraft } from './definition-draft.ts'

const DATABASE = 'svodka_old'

const SCHEMA = `
create table orders (
    order_id integer primary key, ship_via smallint not null, order_date date not null, country text,
    scanned timestamptz not null, cents bigint not null, lines integer not null);
create index on orders (ship_via, order_date);
create function marked(number bigint) returns bigint language sql stable as 'select number';
create function unmarked() returns bigint language sql as 'select 1';
insert into orders
select number, number % 2 + 1, date '1996-07-04' + number / 2, 'country ' || number % 7,
    timestamptz '1996-07-04 22:30Z' + number * interval '12 hours', number * 100, number % 3
from generate_series(1, 1300) as number;
create table places (order_id integer primary key, ship_via smallint not null, order_date date not null, spot point not null);
analyze;`
const TENANCY = 'orders: ship_via\nplaces: ship_via\n'

const ORGANIZATIONS = ['1', '2', '3'].map(id => ({
  id,
  idType: 'smallint',
  timeZone: 'Europe/Moscow',
  entitled: true,
}))
const NOON = Date.parse('2026-11-21T09:00:00Z')

describe('a product of other years', () => {
  let client: Client
  let check: (period?: Period) => Promise<ReplicaCheck>

  before(async function () {
    this.timeout(30_000)
    client = await connectTo((await createTestDatabase(DATABASE, SCHEMA)).replicaUrl)
    check = period =>
      createReplicaCheck({
        client,
        organizations: ORGANIZATIONS,
        tenancy: tenancyIn(TENANCY),
        parse: parseSql,
        period,
        now: () => NOON,
      })
  })
  after(() => client?.end())

  async function findingsOf(
    items: string,
    { order = 'orders.order_id', period }: { order?: string; period?: Period } = {},
  ): Promise<Omit<ReplicaFindings, 'findings'> & { findings: string[] }> {
    const definition = await loaded(
      `
select ${items}
from orders
where orders.ship_via = :organization_id
  and orders.order_date >= :period_start
  and orders.order_date < :period_end
order by ${order}`,
      TENANCY,
    )
    const draft = await definitionDraft(definition)
    const ask = await check(period)
    const { findings, ...rest } = await ask(definition, draft)
    return { ...rest, findings: findings.map(({ line, message }) => `${line}: ${message}`) }
  }

  const NAMED = 'orders.order_id::text as name, orders.cents as amount'

  it('has rows and no finding for a correct definition', async () => {
    expect(await findingsOf(NAMED)).to.deep.equal({
      findings: [],
      unproved: [],
      hasRows: true,
    })
  })

  for (const [title, items, order, words] of [
    ['rows that tie', NAMED, 'orders.country', '14: the order of the rows depends on'],
    [
      'a division by zero',
      NAMED.replace('cents', 'cents / orders.lines'),
      undefined,
      '9: a division by zero (organization 1, 1998-01-01 to 1998-12-31)',
    ],
    [
      'kopecks with a fraction',
      NAMED.replace('cents', 'cents * 0.333'),
      undefined,
      'expected money, whole kopecks',
    ],
    [
      'a day of the session',
      `orders.scanned::date::text || orders.order_id as name, orders.cents as amount`,
      undefined,
      'depends on the session time zone',
    ],
  ] as const) {
    it(`shows ${title}`, async () => {
      const { findings } = await findingsOf(items, order === undefined ? {} : { order })
      expect(findings.join('\n')).to.include(words)
    })
  }

  it('shows a sequential scan that the budget forbids', async () => {
    const definition = await loaded(
      `
select orders.country as name, sum(orders.cents) as amount
from orders
where :period_end > :period_start
group by orders.country
order by orders.country`,
      TENANCY,
      'budget: { buffersPerThousandRows: 5000, seqScan: 8KiB }\n',
    )
    const { findings } = await (await check())(definition, await definitionDraft(definition))
    expect(findings.map(({ line, message }) => `${line}: ${message}`).join('\n')).to.match(
      /^8: budget: found a sequential scan of orders/,
    )
  })

  it('is executed for no period other than the given one', async () => {
    const period = { start: '2020-01-01', end: '2020-02-01' }
    const { findings, hasRows } = await findingsOf(NAMED.replace('cents', 'cents / orders.lines'), {
      period,
    })
    expect(hasRows).to.equal(false)
    expect(findings.join('\n')).not.to.include('2020')
    const checked = await findingsOf(NAMED, { period: { start: '1997-01-01', end: '1997-02-01' } })
    expect(checked.hasRows).to.equal(true)
  })

  it('reports a table without synthetic rows once', async () => {
    const definition = await loaded(
      `
select places.order_id::text as name, 1 as amount
from places
where places.ship_via = :organization_id
  and places.order_date >= :period_start
  and places.order_date < :period_end
order by places.order_id`,
      TENANCY,
    )
    const draft = await definitionDraft(definition)
    const ask = await check()
    expect(await ask(definition, draft)).to.deep.equal({
      findings: [],
      unproved: ['faults that only synthetic rows show (places (no value of type point is known))'],
      hasRows: false,
    })
    expect((await ask(definition, draft)).unproved).to.deep.equal([])
  })
})
