/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, extract(year from age(:today, born)) * 12 + extract(month from age(:today, born))
from sales
where sales.day >= :period_start and sales.day < :period_end
