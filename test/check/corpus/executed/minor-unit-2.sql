/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  price: { title: Price, type: number, total: none }
key: [sale]
summary: Sold {row_count}.
---*/
select sales.id::text as sale,
  sales.amount / 100 as price -- expect: integer-division
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
