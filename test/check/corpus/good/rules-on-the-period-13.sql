/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with days as (select generate_series(:period_start, :period_end, '1 day')::date as day)
select days.day from days where days.day < :period_end
