/*---
title: Sales
columns:
  customer: { title: Customer, type: text }
  days: { title: Days, type: integer, total: none }
  amount: { title: Amount, type: money, total: sum(amount) }
  customer_id: { title: Number, type: integer, total: none }
key: [customer_id]
summary: Sold for {amount}.
---*/
select customers.name as customer, count(distinct sales.day) as days, sum(sales.amount) as amount, customers.id as customer_id
from sales
join customers on customers.id = sales.customer_id
where sales.day >= :period_start and sales.day < :period_end
group by customers.id, customers.name
order by amount desc -- expect: row-order
