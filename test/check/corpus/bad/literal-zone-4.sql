/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, date_trunc('day', sales.made at time zone 'UTC') -- missed: literal-zone
from sales
where sales.day >= :period_start and sales.day < :period_end
