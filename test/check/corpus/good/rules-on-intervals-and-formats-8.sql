/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, to_char(sales.hour, 'HH12:MI AM'), to_char(sales.amount, 'FM999990.00')
from sales
where sales.day >= :period_start and sales.day < :period_end
