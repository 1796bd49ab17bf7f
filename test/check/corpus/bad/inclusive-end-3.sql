/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on
from sales
where sales.day >= :period_start and sales.day < :period_end and not (sales.kind = 1 or :period_end < paid_on) -- missed: inclusive-end
