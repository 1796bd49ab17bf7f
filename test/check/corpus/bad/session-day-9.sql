/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, date_part('dow', sales.sold_at) as dow -- expect: session-day
from sales
where sales.day >= :period_start and sales.day < :period_end
