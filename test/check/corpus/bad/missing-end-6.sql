/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with sold as (select day, amount from sales
where day >= :period_start) -- expect: missing-end
select day, sum(amount) over (order by day) from sold
