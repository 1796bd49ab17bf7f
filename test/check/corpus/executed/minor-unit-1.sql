/*---
title: Sales
columns:
  customer: { title: Customer, type: text }
  largest: { title: Largest, type: number, total: none }
key: [customer]
summary: Sold {row_count}.
---*/
select sales.customer_id::text as customer, max(sales.amount) / 100 as largest -- expect: integer-division
from sales
where sales.day >= :period_start and sales.day < :period_end
group by sales.customer_id
order by sales.customer_id
