/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, to_char(sales.day, '"HH" DD.MM')
from sales
where sales.day >= :period_start and sales.day < :period_end
