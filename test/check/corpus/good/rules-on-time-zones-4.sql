/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on
from sales
where sales.day >= :period_start and sales.day < :period_end and (sales.made at time zone 'Europe/Moscow' at time zone :time_zone)::date < :today
