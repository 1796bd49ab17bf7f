/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select days.day at time zone :time_zone from generate_series(:period_start::timestamp, :as_of, '1 day') as days (day) -- expect: session-midnight
