/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on
from sales
where sales.day >= :period_start and sales.day < :period_end and date_bin('7 days', sales.made, '2024-01-01') < :period_end
