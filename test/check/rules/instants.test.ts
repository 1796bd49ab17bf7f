// Days, instants, time zones, intervals and formats of dates.
import { expectExamples } from './examples.ts'

describe('rules on instants', () => {
  const zone = 'in the time zone of the session'
  expectExamples([
    // days of instants
    ['and cast(sales.sold_at as date) < :today', `3: cast(sales.sold_at as date) is a day ${zone}`],
    ['and date(sales.sold_at) < :today', `3: date(sales.sold_at) is a day ${zone}`],
    ['and coalesce(sales.sold_at, sales.made_at)::date < :today', `3: is a day ${zone}`],
    ["and (sales.sold_at + interval '3 hours')::date < :today", `3: is a day ${zone}`],
    ['and :now::date > sales.day', `3: :now::date is a day ${zone}, expected :today`],
    [', (select max(made_at) from goods)::date as made', `1: is a day ${zone}`],
    ['= max(sold_at)::date', `total: max(sold_at)::date is a day ${zone}`],
    ['= max(paid_on)::date'],
    [
      'with moments as (select sold_at as moment from sales where sold_at < :period_end_at)\nselect moments.moment::date from moments',
      `2: moments.moment::date is a day ${zone}`,
    ],
    [
      "select d.day::date from generate_series(:period_start_at, :period_end_at - interval '1 day', interval '1 day') as d (day)",
      `1: is a day ${zone}`,
    ],
    [
      'with x as (select * from sales where sold_at < :now)\nselect x.sold_at::date from x',
      `2: is a day ${zone}`,
    ],
    [
      `with local as (select sales.*, (sold_at at time zone :time_zone)::date as made_at
      from sales where sold_at < :now) select local.made_at::date from local`,
    ],
    ["and (sales.sold_at - sales.made_at) > interval '1 day'"],
    ["and sales.sold_at < :now - interval '1 hour'"],
    [
      `with dues as (select paid_on as due_at from sales)
      select dues.due_at::timestamp from dues where dues.due_at < :today`,
    ],
    [
      'select t.day_at::date from (select x.id, x.day from sales as x where x.day < :as_of) as t (id, day_at)',
    ],
    [
      `with recursive days as (select :period_start as day_at
      union all select days.day_at + 1 from days where days.day_at < :period_end - 1)
      select day_at::date from days`,
    ],
    ['select t.day_at::date from jsonb_to_record(:as_of) as t (day_at date)'],
    // parts of instants
    ['and extract(hour from sales.sold_at) < 9', `3: extract() of sales.sold_at is taken ${zone}`],
    [
      ", date_trunc('month', sales.sold_at) as month",
      `1: date_trunc() of sales.sold_at is taken ${zone}`,
    ],
    [
      ", to_char(sales.sold_at, 'YYYY-MM') as month",
      `1: to_char() of sales.sold_at is taken ${zone}`,
    ],
    [
      ", date_part('dow', sales.sold_at) as dow",
      `1: date_part() of sales.sold_at is taken ${zone}`,
    ],
    ["and date_bin('1 day', sales.sold_at, '2000-01-01') < :now", '3: date_bin()'],
    ["and date_trunc('month', sales.sold_at, :time_zone) < :period_end_at"],
    [", date_trunc('hour', sales.sold_at) as sold_at"],
    ["and date_bin('15 minutes', sales.sold_at, '2000-01-01') < :now"],
    [", extract(month from sales.day), to_char(sales.paid_on, 'DD.MM.YYYY')"],
    [", to_char(sales.sold_at at time zone :time_zone, 'HH24:MI')"],
    [', extract(epoch from sales.sold_at - sales.made_at) / 86400'],
    // dates compared with instants
    ['and sales.sold_at < :as_of + 1', '3: sales.sold_at < :as_of compares an instant with a date'],
    [
      'and sales.sold_at < :period_end::timestamp',
      '3: compares an instant with a date, expected :period_end_at',
    ],
    ["and :period_end - interval '1 day' > sold_at", '3: compares an instant with a date'],
    [
      'and sales.paid_on < :now',
      '3: sales.paid_on < :now compares a date with an instant, expected :today',
    ],
    [
      'and (sales.sold_at at time zone :time_zone)::date >= :period_start_at',
      '3: compares a date with an instant',
    ],
    ['and sales.sold_at >= :period_start::timestamptz', '3: expected :period_start_at'],
    // midnights that come twice
    [
      'and sales.sold_at < (:as_of + 1)::timestamp at time zone :time_zone',
      '3: (:as_of + 1)::timestamp at time zone :time_zone is the later midnight if it comes twice, expected the first',
    ],
    [
      'and sales.sold_at >= timezone(:time_zone, :period_start::timestamp)',
      '3: expected :period_start_at',
    ],
    [
      "select days.day at time zone :time_zone from generate_series(:period_start::timestamp, :as_of, '1 day') as days (day)",
      '1: days.day at time zone :time_zone is the later midnight',
    ],
    [
      `select case when next_day.at at time zone :time_zone = days.day then next_day.at else days.day at time zone :time_zone end
      from generate_series(:period_start::timestamp, :as_of, '1 day') as days (day)
      cross join lateral (select (days.day - interval '1 day') at time zone :time_zone + interval '24 hours' as at) as next_day`,
    ],
    ["and sales.sold_at < (sales.paid_on + interval '9 hours') at time zone :time_zone"],
    ['and sales.sold_at <= :now and sales.sold_at < :period_end_at'],
    ['and sales.local_time at time zone :time_zone >= :period_start_at'],
  ])
})

describe('rules on time zones', () => {
  const other = 'is not that of every organization, expected :time_zone'
  expectExamples([
    [
      "and (sold_at at time zone 'Europe/Moscow')::date < :today",
      `3: time zone 'Europe/Moscow' ${other}`,
    ],
    ["and timezone('UTC', sales.sold_at) > '1900-01-01'", `3: time zone 'UTC' ${other}`],
    ["and (sales.made at time zone 'utc')::date < :today", `3: time zone 'utc' ${other}`],
    [", date_trunc('day', sales.sold_at, 'Asia/Omsk')", `1: time zone 'Asia/Omsk' ${other}`],
    [
      "and sales.sold_at < :period_end::timestamp at time zone 'UTC'",
      `3: time zone 'UTC' ${other}`,
    ],
    [", date_trunc('day', sales.made at time zone 'UTC')", `1: time zone 'UTC' ${other}`],
    ["and timezone(:time_zone, timezone('Etc/UTC', sales.made)) < :period_end"],
    ["and sales.made at time zone 'UTC' >= :period_start_at"],
    ["and sales.made < :period_end_at at time zone 'UTC'"],
    ["and (sales.made at time zone 'Europe/Moscow' at time zone :time_zone)::date < :today"],
  ])
})

describe('rules on intervals and formats', () => {
  expectExamples([
    [
      ', extract(hour from sales.sold_at - sales.made_at) as hours',
      '1: extract(hour ...) of a difference drops its days',
    ],
    [
      ", date_part('minute', sold_at - made_at)",
      '1: date_part(minute ...) of a difference drops its hours',
    ],
    [', extract(day from age(:today, paid_on))', '1: drops its months'],
    [
      ', extract(day from a.x - a.y) * 24 + extract(hour from sold_at - made_at)',
      '1: drops its days',
    ],
    [
      ', extract(day from sold_at - made_at) as days, extract(hour from sold_at - made_at) as hours',
    ],
    [', extract(epoch from sold_at - made_at) / 3600 as hours'],
    [", extract(hour from made - interval '3 hours') as hour"],
    [', extract(hour from (sold_at at time zone :time_zone)) as hour'],
    [', extract(year from age(:today, born)) * 12 + extract(month from age(:today, born))'],
    [", to_char(sales.day, 'DD.MI.YYYY')", "1: 'DD.MI.YYYY': MI is minutes, expected MM"],
    [", to_char(sales.hour, 'HH:MI')", '1: HH counts to 12'],
    [", to_char(sales.day, 'IYYY-MM')", '1: IYYY is the year of the week'],
    [", to_char(sales.day, 'YYYY-IW')", '1: YYYY is not the year of the week'],
    [", to_char(sales.day, 'TMMonth')", "1: TM depends on the server's lc_time"],
    [", to_char(sales.day, 'DD.MM.YYYY HH24:MI'), to_char(sales.day, 'IYYY-\"W\"IW')"],
    [", to_char(sales.day, 'IYYY-IDDD')"],
    [", to_char(sales.hour, 'HH12:MI AM'), to_char(sales.amount, 'FM999990.00')"],
    [', to_char(sales.day, \'"HH" DD.MM\')'],
  ])
})
