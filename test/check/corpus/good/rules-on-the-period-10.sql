/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select 1 from sales where extract(year from day) = extract(year from :period_start)
and daterange(:period_start, :period_end) @> day
