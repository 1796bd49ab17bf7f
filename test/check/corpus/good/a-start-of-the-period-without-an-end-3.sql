/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
with running as (select day, sum(sum(amount)) over (order by day) as balance
from sales where day < :period_end group by day)
select day, balance from running where day >= :period_start
