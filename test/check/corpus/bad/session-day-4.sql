/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, (select max(made_at) from goods)::date as made -- missed: session-day
from sales
where sales.day >= :period_start and sales.day < :period_end
