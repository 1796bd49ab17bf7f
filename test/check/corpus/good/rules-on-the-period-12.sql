/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select day from generate_series(:period_start::timestamp, :period_end::timestamp, interval '1 month') as d (day)
where day < :period_end
