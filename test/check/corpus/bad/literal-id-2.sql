/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on
from sales
where sales.day >= :period_start and sales.day < :period_end and sales.id = '5d0a0000-0000-4000-8000-000000000001'::uuid -- expect: literal-id
