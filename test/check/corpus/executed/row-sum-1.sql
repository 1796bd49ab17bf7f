/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  amount: { title: Amount, type: money, total: max(amount), aggregation: { rows: sum } } # expect: row-sum
key: [sale]
summary: Sold for {amount}.
---*/
select sales.id::text as sale, sales.amount
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
