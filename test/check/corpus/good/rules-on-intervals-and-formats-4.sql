/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on, extract(hour from (sold_at at time zone :time_zone)) as hour
from sales
where sales.day >= :period_start and sales.day < :period_end
