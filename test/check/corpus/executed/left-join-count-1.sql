/*---
title: Sales
columns:
  customer: { title: Customer, type: text }
  sales: { title: Sales, type: integer, total: sum(sales) }
  customer_id: { title: Number, type: integer, total: none }
key: [customer_id]
summary: Sold {sales}.
---*/
select customers.name as customer,
  count(*) as sales, -- expect: left-join-count
  customers.id as customer_id
from customers
left join sales on sales.customer_id = customers.id and sales.day >= :period_start and sales.day < :period_end
group by customers.name, customers.id
order by sales desc, customers.id
