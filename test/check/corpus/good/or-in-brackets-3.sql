/*---
title: Invoices
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [customer]
summary: Billed {amount}.
---*/
select sales.shop as customer, sum(sales.cents) as amount
from sales
where (sales.paid_on >= :period_start and sales.paid_on < :period_end)
   or (sales.returned_on >= :period_start and sales.returned_on < :period_end)
group by sales.shop
order by sales.shop collate "C"
