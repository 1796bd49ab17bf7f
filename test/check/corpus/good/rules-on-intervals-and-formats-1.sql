/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, extract(day from sold_at - made_at) as days, extract(hour from sold_at - made_at) as hours
from sales
where sales.day >= :period_start and sales.day < :period_end
