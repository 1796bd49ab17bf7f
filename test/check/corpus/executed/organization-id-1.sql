/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [sale]
summary: Sold for {amount}.
---*/
select sales.id::text as sale, -- expect: organization-id
  sales.amount
from sales
where sales.customer_id = :organization_id
  and sales.day >= :period_start and sales.day < :period_end
order by sales.id
