/*---
title: Sales
columns:
  sale: { title: Sale, type: text } # expect: prepare
  amount: { title: Amount, type: money, total: none }
key: [sale]
summary: Sold {row_count}.
---*/
select sales.id::text as sale, sales.amount, 1 as sale
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
