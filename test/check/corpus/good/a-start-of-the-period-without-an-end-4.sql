/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with recursive days as (select :period_start as day
union all select day + 1 from days where day + 1 < :period_end)
select days.day from days join sales on sales.day = days.day and sales.day >= :period_start
