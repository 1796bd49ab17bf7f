/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  last: { title: Last, type: date, total: none }
key: [sale]
summary: Sold {row_count}.
---*/
select sales.id::text as sale, (select max(sold_at) from sales)::date as last -- expect: session-zone
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
