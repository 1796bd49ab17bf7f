// Days, instants, time zones, intervals and formats of dates.
import { examples, onTime } from './examples.ts'

examples('rules on instants', onTime)`
right
  with local as (select sales.*, (sold_at at time zone :time_zone)::date as made_at
    from sales where sold_at < :now) select local.made_at::date from local
  and (sales.sold_at - sales.made_at) > interval '1 day'
  and sales.sold_at < :now - interval '1 hour'
  with dues as (select paid_on as due_at from sales)
    select dues.due_at::timestamp from dues where dues.due_at < :today
  select t.day_at::date from (select x.id, x.day from sales as x where x.day < :as_of) as t (id, day_at)
  with recursive days as (select :period_start as day_at
    union all select days.day_at + 1 from days where days.day_at < :period_end - 1)
    select day_at::date from days
  select t.day_at::date from jsonb_to_record(:as_of) as t (day_at date)
  , date_trunc('hour', sales.sold_at) as sold_at
  , extract(month from sales.day), to_char(sales.paid_on, 'DD.MM.YYYY')
  , to_char(sales.sold_at at time zone :time_zone, 'HH24:MI')
  , extract(epoch from sales.sold_at - sales.made_at) / 86400
  select case when next_day.at at time zone :time_zone = days.day then next_day.at else days.day at time zone :time_zone end
    from generate_series(:period_start::timestamp, :as_of, '1 day') as days (day)
    cross join lateral (select (days.day - interval '1 day') at time zone :time_zone + interval '24 hours' as at) as next_day
  and sales.sold_at < (sales.paid_on + interval '9 hours') at time zone :time_zone
  and sales.sold_at <= :now and sales.sold_at < :period_end_at
  and sales.local_time at time zone :time_zone >= :period_start_at
3: cast(sales.sold_at as date) is a day in the time zone of the session
  and cast(sales.sold_at as date) < :today
3: date(sales.sold_at) is a day in the time zone of the session
  and date(sales.sold_at) < :today
3: is a day in the time zone of the session
  and coalesce(sales.sold_at, sales.made_at)::date < :today
1: is a day in the time zone of the session
  , (select max(made_at) from goods)::date as made
  select d.day::date from generate_series(:period_start_at, :period_end_at - interval '1 day', interval '1 day') as d (day)
2: moments.moment::date is a day in the time zone of the session
  with moments as (select sold_at as moment from sales where sold_at < :period_end_at)
    select moments.moment::date from moments
2: is a day in the time zone of the session
  with x as (select * from sales where sold_at < :now)
    select x.sold_at::date from x
3: extract() of sales.sold_at is taken in the time zone of the session
  and extract(hour from sales.sold_at) < 9
1: date_part() of sales.sold_at is taken in the time zone of the session
  , date_part('dow', sales.sold_at) as dow
3: compares an instant with a date, expected :period_end_at
  and sales.sold_at < :period_end::timestamp
3: compares an instant with a date
  and :period_end - interval '1 day' > sold_at
3: sales.paid_on < :now compares a date with an instant, expected :today
  and sales.paid_on < :now
3: compares a date with an instant
  and (sales.sold_at at time zone :time_zone)::date >= :period_start_at
3: expected :period_start_at
  and sales.sold_at >= :period_start::timestamptz
  and sales.sold_at >= timezone(:time_zone, :period_start::timestamp)
3: (:as_of + 1)::timestamp at time zone :time_zone is the later midnight if it comes twice, expected the first
  and sales.sold_at < (:as_of + 1)::timestamp at time zone :time_zone
1: days.day at time zone :time_zone is the later midnight
  select days.day at time zone :time_zone from generate_series(:period_start::timestamp, :as_of, '1 day') as days (day)
`

examples('rules on time zones', onTime)`
right
  and timezone(:time_zone, timezone('Etc/UTC', sales.made)) < :period_end
  and sales.made at time zone 'UTC' >= :period_start_at
  and sales.made < :period_end_at at time zone 'UTC'
  and (sales.made at time zone 'Europe/Moscow' at time zone :time_zone)::date < :today
3: time zone 'UTC' is not that of every organization, expected :time_zone
  and sales.sold_at < :period_end::timestamp at time zone 'UTC'
3: time zone 'utc' is not that of every organization, expected :time_zone
  and (sales.made at time zone 'utc')::date < :today
1: time zone 'Asia/Omsk' is not that of every organization, expected :time_zone
  , date_trunc('day', sales.sold_at, 'Asia/Omsk')
1: time zone 'UTC' is not that of every organization, expected :time_zone
  , date_trunc('day', sales.made at time zone 'UTC')
`

examples('rules on intervals and formats', onTime)`
right
  , extract(day from sold_at - made_at) as days, extract(hour from sold_at - made_at) as hours
  , extract(epoch from sold_at - made_at) / 3600 as hours
  , extract(hour from made - interval '3 hours') as hour
  , extract(hour from (sold_at at time zone :time_zone)) as hour
  , extract(year from age(:today, born)) * 12 + extract(month from age(:today, born))
  , to_char(sales.day, 'DD.MM.YYYY HH24:MI'), to_char(sales.day, 'IYYY-"W"IW')
  , to_char(sales.day, 'IYYY-IDDD')
  , to_char(sales.hour, 'HH12:MI AM'), to_char(sales.amount, 'FM999990.00')
  , to_char(sales.day, '"HH" DD.MM')
1: date_part(minute ...) of a difference drops its hours
  , date_part('minute', sold_at - made_at)
1: drops its months
  , extract(day from age(:today, paid_on))
1: drops its days
  , extract(day from a.x - a.y) * 24 + extract(hour from sold_at - made_at)
1: IYYY is the year of the week
  , to_char(sales.day, 'IYYY-MM')
1: YYYY is not the year of the week
  , to_char(sales.day, 'YYYY-IW')
1: TM depends on the server's lc_time
  , to_char(sales.day, 'TMMonth')
`

examples('rules on time in a total', onTime, {
  columns: 'x: date',
  totalOf:
    'select day as x, sold_at, paid_on from sales where day >= :period_start and day < :period_end',
})`
right
  max(paid_on)::date
1: max(sold_at)::date is a day in the time zone of the session
  max(sold_at)::date
1: <= :period_end includes the day after the period
  count(*) filter (where day <= :period_end)
1: '2026-03-01' is one period
  count(*) filter (where day > '2026-03-01')
`
