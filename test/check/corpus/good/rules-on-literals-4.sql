/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, case when sales.day >= '2026-01-01' then 22 else 20 end as vat
from sales
where sales.day >= :period_start and sales.day < :period_end
