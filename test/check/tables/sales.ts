/** Text rules and loading, on tables that do not exist, so without a replica. */
import { table } from '../bad-definitions.ts'

export const SALES = [
  ...table('sales')`
distinct on without an order
  - join shops
  + join lasts on lasts.shop_id = sold.shop_id
  + join shops
  - select shops.name
  + , lasts as (select distinct on (sold.shop_id) sold.shop_id from sold)
  + select shops.name
  22: distinct on without an order by takes rows by chance
a condition that undoes a left join
  - order by sold.amount
  + left join goods on goods.organization_id = :organization_id and goods.shop_id = sold.shop_id where goods.kind = 1
  + order by sold.amount
  27: goods.kind in where removes the rows without a match that left join returns
a local time that a list of columns names
  - from sold
  + from sold join (select x.shop_id, x.day from sold as x) as t (shop_id, day_at) on t.shop_id = sold.shop_id and t.day_at::date < :today
@ behind sales.day < :period_end
and sales.day > :period_end
  19: > :period_end leaves the day after the period on neither side
and sales.day <= :period_start
  19: <= :period_start counts the period's first day on both sides
and sales.sold_at < :as_of + 1
  19: sales.sold_at < :as_of compares an instant with a date
and sales.sold_at >= :period_start::timestamptz
  19: :period_start::timestamptz is midnight in the time zone of the session, expected :period_start_at
and :now::date > sales.day
  19: :now::date is a day in the time zone of the session, expected :today
and to_char(sales.day, 'YYYY') = '2026'
  19: '2026' is one period
and sales.day >= make_date(2026, 1, 1)
  19: 2026 is one period
and sales.kind <> null
  19: <> null is never true, expected is not null
and pg_sleep(1) is not null
  load 19: pg_sleep() is for administration, expected a plain read of the data
and sales.note <> 'postgres://reports:secret@replica/product'
  19: "postgres..." looks like a key
and sales.day < :period_end + 1
  19: < :period_end + 1 includes the day after the period
and sales.day < :period_end - 1
  19: < :period_end - 1 leaves out the period's last day
and sales.sold_at >= :period_start_at and sales.sold_at <= :period_end_at - interval '1 second'
  19: leaves out the last 1 second of the period, expected < :period_end_at
and not (sales.paid_on > :period_end)
  19: not > :period_end includes the day after the period
and sales.day <@ daterange(:period_start, :period_end, '[]')
  19: daterange(..., :period_end, '[]') includes the day after the period
and sales.sold_at <@ tstzrange(:period_start_at, :period_end_at, '[]')
  19: tstzrange(..., :period_end_at, '[]') includes the moment after the period
and (sales.day, sales.day + 1) overlaps (:period_start, :period_end + 1)
  19: expected :period_end: overlaps leaves out the end
and sales.day in (select generate_series(:period_start, :period_end::timestamp, interval '1 month'))
  19: generate_series(..., :period_end::timestamp) also returns the day after the period
and timezone('UTC', sales.sold_at) > '1900-01-01'
  19: time zone 'UTC' is not that of every organization
and date_bin('1 day', sales.sold_at, '2000-01-01') < :now
  19: date_bin() of sales.sold_at is taken in the time zone of the session
and sales.paid_on <= :period_end - 1
and sales.came_at < :period_end_at and sales.left_at > :period_start_at
and date_trunc('month', sales.sold_at, :time_zone) < :period_end_at
and sales.day < '9999-12-31' and sales.day > '1900-01-01'
and sales.kind is distinct from null
and sales.kind not in ('return', 'gift')
and sales.kind = any (array(select kinds.id from kinds where kinds.organization_id = :organization_id))
and sales.id not in (select x.id from sold_out as x where x.organization_id = :organization_id and x.id is not null)
and exists (select * from gifts where gifts.organization_id = :organization_id and gifts.sale_id = sales.id limit 1)
and sales.id = (select max(x.id) from sales as x where x.organization_id = :organization_id)
and (sales.day, sales.day + 1) overlaps (:period_start, :period_end)
and sales.day in (select generate_series(:period_start, :period_end - 1, interval '1 month'))
and date_bin('15 minutes', sales.sold_at, '2000-01-01') < :now
@ behind sum(sales.cost) as cost
, lag(max(sales.cost)) over (partition by sales.shop_id) as before
  15: lag() without an order by depends on chance
, (array_agg(sales.id))[1] as sale_id
  15: array_agg() without an order by depends on chance
, array_agg(sales.note) as notes, sum(distinct sales.cost) as costs
  15: sum(distinct sales.cost) drops amounts that are equal
, max(extract(hour from sales.sold_at - sales.made_at)) as hours
  15: extract(hour ...) of a difference drops its days
, max(to_char(sales.day, 'DD.MI.YYYY')) as day
  15: MI is minutes, expected MM for the month
, max(to_char(sales.hour, 'HH:MI')) as hour
  15: HH counts to 12, expected HH24
, max(sales.xmin) as changed
  load 15: xmin depends on where a row is stored
, sum(sales.cost)::bigint / count(*) as mean
  15: sum(sales.cost)::bigint / count(*) drops the fraction of integers
, max(case sales.kind when null then 'нет' end) as kind
  15: when null is never true, expected case when ... is null
, max(coalesce('нет', sales.note)) as note
  15: coalesce('нет', ...) is always 'нет', expected the constant last
, case when sales.end > 0 then sum(sales.amount) / sum(sales.cost) end as part
, count(*) filter (where sales.cost > 0)::numeric / count(*) as paid
, max(extract(day from sales.sold_at - sales.made_at) * 24 + extract(hour from sales.sold_at - sales.made_at)) as hours
@ instead of "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)"
"round(sum(amount) / nullif(sum(cost), 0), 1)"
  7: share is a share of 1, expected percent
"sum(amount) filter (where day < :todya and now() > x) -- all"
  load 7: columns.share.total: unknown placeholder :todya, did you mean ":today"?
  load 7: columns.share.total: now() reads the clock, expected :today, :as_of or :now
  load 7: columns.share.total: a comment or a semicolon, expected an aggregate alone
"sum(amount)) from report; select (1"
  load 7: columns.share.total: syntax error at or near ")" (column 12), expected
"sum(amount), 1"
  load 7: columns.share.total: more than an aggregate, expected an aggregate alone
"round(sum(share * amount) / nullif(sum(amount), 0), 1) * 100 / 100"
"sum(share * cost) / nullif(sum(cost), 0)"
"numeric '100' * sum(amount) / nullif(sum(cost), 0)"
@ instead of За {period} продано на {amount}.
"За {period} продано на {amount} руб."
  9: {amount} prints its ₽ itself
"За {period} продано на {amount}, доля {share} %."
  9: {share} prints its % itself
"За {period} продано на '{amount}', строк {row_count}."
  9: '{amount} is printed unchanged
"За {period_dates} продано на {amount}."
  9: «за {period_dates}» prints
"На {amount} {row_count, plural, one {# чек} few {# чека} other {# чеков}} за {period}."
  9: {row_count, plural, ...} has no "many"
"За {period} продано на {amount} в {shop}."
  load 9: summary: {shop} has no total to print, expected a column that has one, or a fact
"Продано {period_dates} на {amount}, доля {share}, строк {row_count} % 3."
"На {amount} у {row_count, plural, one {# магазина} other {# магазинов}}."
`,
]
