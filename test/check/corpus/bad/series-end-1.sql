/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select day from generate_series(:period_start_at, :period_end_at, interval '1 day') as d (day) -- expect: series-end
