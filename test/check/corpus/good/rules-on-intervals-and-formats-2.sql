/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, extract(epoch from sold_at - made_at) / 3600 as hours
from sales
where sales.day >= :period_start and sales.day < :period_end
