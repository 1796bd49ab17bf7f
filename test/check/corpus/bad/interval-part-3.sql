/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, extract(day from a.x - a.y) * 24 + extract(hour from sold_at - made_at) -- expect: interval-part
from sales
where sales.day >= :period_start and sales.day < :period_end
