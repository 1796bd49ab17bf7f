/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select case when next_day.at at time zone :time_zone = days.day then next_day.at else days.day at time zone :time_zone end
from generate_series(:period_start::timestamp, :as_of, '1 day') as days (day)
cross join lateral (select (days.day - interval '1 day') at time zone :time_zone + interval '24 hours' as at) as next_day
