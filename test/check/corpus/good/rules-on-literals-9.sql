/*---
title: A
columns:
  a: { title: a, type: integer }
key: [a]
summary: "{row_count}"
---*/
select sales.day, sales.sold_at, sales.paid_on
from sales
where sales.day >= :period_start and sales.day < :period_end and make_date(2000, 1, 1) < sales.day and make_interval(years => 2020) is not null
