/*---
title: Sales
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, unit: major, total: sum(amount), aggregation: { rows: sum, periods: sum } }
  customer_id: { title: Number, type: integer, total: none }
key: [customer_id]
summary: Sold for {amount}.
---*/
select customers.name as customer,
  sum(sales.amount) as amount, -- expect: amount-type
  customers.id as customer_id
from customers
join sales on sales.customer_id = customers.id and sales.day >= :period_start and sales.day < :period_end
group by customers.name, customers.id
order by amount desc, customers.id
