// Bounds of the period: faults, and correct spellings.
import { examples, onTime } from './examples.ts'

examples('rules on the period', onTime)`
right
  and sales.paid_on >= :period_start::date and sales.paid_on < cast(:period_end as date)
  with visits_here as (select left_at from visits
    where came_at < :period_end_at and left_at > :period_start_at)
    select count(*) filter (where left_at < :period_end_at) from visits_here
  and sales.paid_on >= :period_start and sales.paid_on <= :as_of
  and sales.paid_on >= :period_start and sales.paid_on < least(:period_end, :today + 1)
  with months as (
    select month, (month + interval '1 month')::date as next
    from generate_series(:period_start, :period_end - 1, interval '1 month') as m (month)
    )
    select 1 from months where months.next <= :period_end
  and sales.due_on < :period_end + 1
  and sales.day <= :period_end - interval '1 day'
  and sales.sold_at >= :period_start_at and sales.sold_at <= :period_end_at - interval '0.000001 second'
  select 1 from sales join sales as older on older.id = sales.of and older.day < :period_start
    where sales.day >= :period_end
  select 1 from sales where extract(year from day) = extract(year from :period_start)
    and daterange(:period_start, :period_end) @> day
  and sales.span && tstzrange(:period_start_at, :period_end_at, '[)')
  select day from generate_series(:period_start::timestamp, :period_end::timestamp, interval '1 month') as d (day)
    where day < :period_end
  with days as (select generate_series(:period_start, :period_end, '1 day')::date as day)
    select days.day from days where days.day < :period_end
  select :period_start + n from generate_series(0, :period_end - :period_start - 1) as n
3: <= :period_end includes the day after the period
  with period as (select :period_start as first, :period_end as next)
    select 1 from sales cross join period
    where sales.day between period.first and period.next
3: not > :period_end includes
  and not (sales.kind = 1 or :period_end < paid_on)
3: <= :period_end includes
3: is the later midnight
  and sales.sold_at <= (:period_end)::timestamp at time zone :time_zone
3: includes
  and (sales.sold_at at time zone :time_zone)::date <= :period_end
2: > :period_start leaves out the period's first day
  with sold as (select day from sales where day < :period_end)
    select count(*) filter (where sold.day > :period_start) from sold
3: includes the day after the period
  and sales.day < :period_end + interval '1 day'
3: leaves out the period's last day
  and sales.day < (:period_end - 1)::timestamp
3: leaves out the last 1 second of the period
  and sales.sold_at between :period_start_at and :period_end_at - '1 second'::interval
1: includes the whole year
  select 1 from sales where date_part('year', day) = date_part('year', :period_end - 1)
1: includes the whole month
  select 1 from sales where date_trunc('month', day) = date_trunc('month', :period_start::timestamp)
3: the moment after
  and tstzrange(:period_start_at, :period_end_at, '(]') @> sold_at
1: also returns the moment after
  select day from generate_series(:period_start_at, :period_end_at, interval '1 day') as d (day)
`

examples('a start of the period without an end', onTime)`
right
  with period as (select :period_start as first, :period_end as next)
    select 1 from sales, period where sales.day >= period.first and sales.day < period.next
  with sold as (select date_trunc('month', day) as month, amount from sales where day >= :period_start)
    select month from sold where month < :period_end
  with running as (select day, sum(sum(amount)) over (order by day) as balance
    from sales where day < :period_end group by day)
    select day, balance from running where day >= :period_start
  with recursive days as (select :period_start as day
    union all select day + 1 from days where day + 1 < :period_end)
    select days.day from days join sales on sales.day = days.day and sales.day >= :period_start
  with started as (select id from deals where created_at >= :period_start_at),
    ended as (select id from deals where closed_at < :period_end_at)
    select 1 from started join ended on ended.id = started.id
  select 1 from deals where created_at >= :period_start_at
    and id in (select deal_id from ends where ended_at < :period_end_at)
  select 1 from sales where day >= :period_start and day < least(:period_end, :as_of + 1)
  select 1 from sales where day >= :period_start and not (day >= :period_end)
  select 1 from sales where day >= :period_start and daterange(null, :period_end) @> day
  select 1 from sales where (day >= :period_start and day < :period_end) or kind = 1
  with bounds as (select :period_start as first, :period_end as next)
    select 1 from sales cross join bounds where day >= :period_start and day < bounds.next
  select months.month from generate_series(:period_start, :as_of, '1 month') as months (month)
    left join sales on sales.day >= :period_start and sales.day < months.month
  select 1 from sales join generate_series(0, :period_end - :period_start - 1) as n
    on sales.day = :period_start + n where sales.day >= :period_start
  select 1 from deals where closed_at >= :period_start_at and created_at < :period_start_at
  select 1 from deals where created_at < :period_end_at and coalesce(closed_at, 'infinity') >= :period_start_at
  select sum(least(until, :period_end) - greatest(since, :period_start)) from spans
    where until >= :period_start
  select sum(amount) filter (where day < :period_start) as opening,
    sum(amount) filter (where day >= :period_start) as moved from sales where day < :period_end
  select case when day >= :period_start then 1 else 0 end from sales where day <= :as_of
  select 1 from sales where day >= :period_start and day < :perod_end
1: sold_at >= :period_start_at without an end, expected < :period_end_at
  select 1 from sales where :period_start_at <= sold_at
1: without an end, expected < :period_end
  select 1 from sales where not (day < :period_start)
2: without an end, expected < :period_end
  select sum(amount) filter (where day < :period_start) as before,
    sum(amount) filter (where day >= :period_start) as within from sales
  with sold as (select shop_id, sum(amount) as amount from sales
    where day >= :period_start group by shop_id),
    back as (select shop_id, sum(amount) as amount from returns
    where day >= :period_start and day < :period_end group by shop_id)
    select 1 from sold join back on back.shop_id = sold.shop_id
  with base as (select shop_id, day, amount from sales),
    sold as (select sum(amount) as sold from base where day >= :period_start),
    until as (select sum(amount) as until from base where day < :period_end)
    select sold.sold, until.until from sold cross join until
  with sold as (select day, amount from sales
    where day >= :period_start)
    select day, sum(amount) over (order by day) from sold
  select 1 from deals left join tasks on tasks.deal_id = deals.id and tasks.due_on < :period_end
    where deals.created_on >= :period_start
  select 1 from deals where deals.created_at < :period_end_at and exists (
    select from visits where visits.deal_id = deals.id and visits.came_at >= :period_start_at)
  with flows as (select date_trunc('month', day::timestamp) as month, amount from sales
    where day >= :period_start),
    months as (select generate_series(:period_start::timestamp,
    greatest(:as_of::timestamp, (select max(flows.month) from flows)), '1 month') as month)
    select months.month, sum(flows.amount) from months
    left join flows on flows.month = months.month group by 1
3: without an end, expected < :period_end
  with totals as (select sum(amount) as amount from sales where day < :period_end)
    select 1 from sales cross join totals
    where sales.day >= :period_start
  select id from deals where lost_at >= :period_start_at and lost_at < :period_end_at and size > 9
    union all
    select id from deals where lost_at >= :period_start_at and size <= 9
`
