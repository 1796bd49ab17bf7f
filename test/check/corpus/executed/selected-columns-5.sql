/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  amount: { title: Amount, type: money, total: none } # expect: prepare
key: [sale]
summary: Sold {row_count}.
---*/
select sales.id::text as sale, case when sales.amount > 0 then 1 else 2::int end
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
