/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with totals as (select sum(amount) as amount from sales where day < :period_end)
select 1 from sales cross join totals
where sales.day >= :period_start -- missed: missing-end
