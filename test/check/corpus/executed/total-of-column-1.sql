/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  amount: { title: Amount, type: money, total: sum(price) } # expect: prepare
key: [sale]
summary: Sold {row_count}.
---*/
select sales.id::text as sale, sales.amount
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
