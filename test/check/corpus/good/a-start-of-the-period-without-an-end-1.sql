/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with period as (select :period_start as first, :period_end as next)
select 1 from sales, period where sales.day >= period.first and sales.day < period.next
