/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, date_trunc('hour', sales.sold_at) as sold_at
from sales
where sales.day >= :period_start and sales.day < :period_end
