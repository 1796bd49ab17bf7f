/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with period as (select :period_start as first, :period_end as next)
select 1 from sales cross join period
where sales.day between period.first and period.next -- expect: inclusive-end
