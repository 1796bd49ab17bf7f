import { expect } from 'chai'
import { foundIn, type Around } from './report-around.ts'

describe('rules of the text', () => {
  it('find nothing where all is well', () => {
    expect(foundIn({})).to.deep.equal([])
  })

  const wrong: Array<[Around, string]> = [
    [{ where: 'and :period_end >= sales.paid_on' }, '<= :period_end takes in the day after'],
    [
      { where: 'and sales.day > :period_end' },
      '> :period_end leaves the day after the period on neither side',
    ],
    [
      { where: 'and sales.day <= :period_start' },
      "<= :period_start counts the period's first day on both sides",
    ],
    [
      { where: 'and coalesce(sales.sold_at, sales.made_at)::date < :today' },
      'is a day in the time zone of the session',
    ],
    [
      { where: 'and cast(sales.sold_at as date) < :today' },
      'cast(sales.sold_at as date) is a day in the time zone of the session',
    ],
    [
      { where: 'and extract(hour from sales.sold_at) < 9' },
      'extract() of sales.sold_at is taken in the time zone of the session',
    ],
    [
      { where: 'and sales.sold_at < :as_of + 1' },
      'sales.sold_at < :as_of compares an instant with a date',
    ],
    [
      { where: 'and sales.sold_at >= :period_start::timestamptz' },
      ':period_start::timestamptz is midnight in the time zone of the session, expected :period_start_at',
    ],
    [
      { where: 'and :now::date > sales.day' },
      ':now::date is a day in the time zone of the session, expected :today',
    ],
    [
      { where: 'and sales.due_on < :now' },
      'sales.due_on < :now compares a date with an instant, expected :today',
    ],
    [{ where: "and to_char(sales.day, 'YYYY') = '2026'" }, "'2026' is one period"],
    [{ where: 'and sales.day >= make_date(2026, 1, 1)' }, '2026 is one period'],
    [{ where: 'and sales.kind <> null' }, '<> null is never true, expected is not null'],
    [
      { items: 'lag(max(sales.cost)) over (partition by sales.shop_id) as before' },
      'lag() without an order by goes by chance',
    ],
    [
      { items: '(array_agg(sales.id))[1] as sale_id' },
      'array_agg() without an order by goes by chance',
    ],
    [
      {
        parts: ', lasts as (select distinct on (sold.shop_id) sold.shop_id from sold)',
        joins: 'join lasts on lasts.shop_id = sold.shop_id',
      },
      'distinct on without an order by takes rows by chance',
    ],
    [
      { joins: 'left join goods on goods.shop_id = sold.shop_id\nwhere goods.kind = 1' },
      'goods.kind in where throws away the rows that left join keeps',
    ],
    [
      { total: 'round(sum(amount) / nullif(sum(cost), 0), 1)' },
      'share is a share of 1, expected percent',
    ],
    [{ total: 'round(100.0 * sum(amount) / sum(cost), 1)' }, 'sum(cost) may be 0'],
    [
      { total: 'round(100 * count(amount) / nullif(count(*), 0), 1)' },
      'drops the fraction of integers',
    ],
    [{ total: 'avg(share) filter (where amount > 0)' }, 'avg(share) averages percentages'],
    [
      { items: 'array_agg(sales.note) as notes, sum(distinct sales.cost) as costs' },
      'sum(distinct sales.cost) drops amounts that are equal',
    ],
    [
      { items: 'max(extract(hour from sales.sold_at - sales.made_at)) as hours' },
      'extract(hour ...) of a difference drops its days',
    ],
    [
      { items: "max(to_char(sales.day, 'DD.MI.YYYY')) as day" },
      'MI is minutes, expected MM for the month',
    ],
    [{ items: "max(to_char(sales.hour, 'HH:MI')) as hour" }, 'HH counts to 12, expected HH24'],
    [{ items: "max(to_char(sales.day, 'IYYY-MM')) as month" }, 'IYYY is the year of the week'],
    [{ items: "max(to_char(sales.day, 'TMMonth')) as month" }, "TM goes by the server's lc_time"],
    [{ where: 'and pg_sleep(1) is not null' }, 'pg_sleep() waits and holds a connection'],
    [{ items: 'max(sales.xmin) as changed' }, 'xmin is where a row happens to lie'],
    [
      { items: 'sum(sales.cost)::bigint / count(*) as mean' },
      'sum(sales.cost)::bigint / count(*) drops the fraction of integers',
    ],
    [
      { items: "max(case sales.kind when null then 'нет' end) as kind" },
      'when null is never true, expected case when ... is null',
    ],
    [
      { items: "max(coalesce('нет', sales.note)) as note" },
      "coalesce('нет', ...) is always 'нет', expected the constant last",
    ],
    [
      { where: "and sales.note <> 'postgres://reports:secret@replica/product'" },
      '"postgres..." looks like a key',
    ],
  ]
  for (const [around, message] of wrong) {
    it(`find: ${message}`, () => {
      const found = foundIn(around)
      expect(found, found.join('\n')).to.have.lengthOf(1)
      expect(found[0]).to.contain(message)
    })
  }

  const right: Array<[string, Around]> = [
    ['the day before the end', { where: 'and sales.paid_on <= :period_end - 1' }],
    [
      'a stay that overlaps the period',
      { where: 'and sales.came_at < :period_end_at and sales.left_at > :period_start_at' },
    ],
    ['an opening before the period', { where: 'or sales.day < :period_start' }],
    ['a local day', { where: 'and (sales.sold_at at time zone :time_zone)::date <= :as_of' }],
    [
      'a local month',
      { where: "and date_trunc('month', sales.sold_at, :time_zone) < :period_end_at" },
    ],
    [
      'a time between two instants',
      { items: 'max(extract(epoch from sales.sold_at - sales.made_at)) as seconds' },
    ],
    [
      'an instant against instants',
      { where: 'and sales.sold_at <= :now and sales.sold_at < :period_end_at' },
    ],
    [
      'a UTC timestamp made local',
      { where: "and (sales.sold_at at time zone 'UTC' at time zone :time_zone)::date < :today" },
    ],
    [
      'a bound that no period reaches',
      { where: "and sales.day < '9999-12-31' and sales.day > '1900-01-01'" },
    ],
    ['a number that looks like a year', { where: 'and sales.amount > 2026' }],
    ['distinct from null', { where: 'and sales.kind is distinct from null' }],
    ['not in a list', { where: "and sales.kind not in ('return', 'gift')" }],
    [
      'not in rows that are not null',
      { where: 'and sales.id not in (select x.id from sold_out as x where x.id is not null)' },
    ],
    [
      'exists with a star and a limit',
      { where: 'and exists (select * from gifts where gifts.sale_id = sales.id limit 1)' },
    ],
    ['the latest row', { where: 'and sales.id = (select max(x.id) from sales as x)' }],
    ['a set of ids', { where: 'and sales.kind = any (array(select kinds.id from kinds))' }],
    [
      'rows without a match',
      { joins: 'left join goods on goods.shop_id = sold.shop_id\nwhere goods.id is null' },
    ],
    ['an integer divided by a number', { items: 'count(*) / 2 as pairs' }],
    [
      'a quotient that a case guards',
      {
        items:
          'case when sum(sales.cost) > 0 then sum(sales.amount) / sum(sales.cost) end as ratio',
      },
    ],
    [
      'a weighted average',
      { total: 'round(sum(share * amount) / nullif(sum(amount), 0), 1) * 100 / 100' },
    ],
    [
      'a star of a part of its own',
      {
        parts: ', same as (select * from sold)',
        joins: 'join same on same.shop_id = sold.shop_id',
      },
    ],
    [
      'a part that a total reads',
      {
        parts: ', all_sold as (select sum(sold.cost) as cost from sold)',
        joins: 'cross join all_sold',
      },
    ],
    [
      'a quotient that a case guards from outside of a bracket',
      { total: 'case when sum(cost) > 0 then round(100.0 * sum(amount) / sum(cost), 1) end' },
    ],
    [
      'counts of which one is a numeric',
      { items: 'count(*) filter (where sales.cost > 0)::numeric / count(*) as paid' },
    ],
    ['a mean of percentages by weight', { total: 'sum(share * cost) / nullif(sum(cost), 0)' }],
    ['percent by a hundredth', { total: 'sum(amount) / (0.01 * nullif(sum(cost), 0))' }],
    ["percent of numeric '100'", { total: "numeric '100' * sum(amount) / nullif(sum(cost), 0)" }],
    [
      'not in rows of a table by its id',
      { where: 'and sales.shop_id not in (select x.id from shops as x)' },
    ],
    [
      'a date that is renamed',
      {
        parts: ', dues as (select bills.shop_id, bills.paid_on as due_at from bills)',
        joins: 'join dues on dues.shop_id = sold.shop_id and dues.due_at < :today',
      },
    ],
    [
      'a local time that a list of columns names',
      {
        joins:
          'join (select x.shop_id, x.day from sold as x) as t (shop_id, day_at) on t.day_at::date < :today',
      },
    ],
    [
      'hours beside their days',
      {
        items:
          'max(extract(day from sales.sold_at - sales.made_at) * 24 + extract(hour from sales.sold_at - sales.made_at)) as hours',
      },
    ],
    [
      'formats that mean what they say',
      {
        items:
          "max(to_char(sales.day, 'DD.MM.YYYY HH24:MI')) as a, max(to_char(sales.day, 'IYYY-IW HH:MI AM')) as b",
      },
    ],
    ['percent of 1000', { total: 'round(1000.0 * sum(amount) / nullif(10 * sum(cost), 0), 1)' }],
  ]
  for (const [what, around] of right) {
    it(`let pass ${what}`, () => {
      expect(foundIn(around)).to.deep.equal([])
    })
  }
})
