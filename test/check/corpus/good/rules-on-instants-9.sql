/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, extract(month from sales.day), to_char(sales.paid_on, 'DD.MM.YYYY')
from sales
where sales.day >= :period_start and sales.day < :period_end
