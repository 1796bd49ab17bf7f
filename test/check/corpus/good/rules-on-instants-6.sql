/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with recursive days as (select :period_start as day_at
union all select days.day_at + 1 from days where days.day_at < :period_end - 1)
select day_at::date from days
