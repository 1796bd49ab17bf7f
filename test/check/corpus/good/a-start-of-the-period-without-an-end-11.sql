/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with bounds as (select :period_start as first, :period_end as next)
select 1 from sales cross join bounds where day >= :period_start and day < bounds.next
