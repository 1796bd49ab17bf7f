/*---
title: Sales
columns:
  customer: { title: Customer, type: text }
  amount: { title: Amount, type: money, total: sum(amount), aggregation: { rows: sum, periods: sum } }
  customer_id: { title: Number, type: integer, total: none }
key: [customer_id]
summary: Sold for {amount}.
---*/
select customers.name as customer, sum(sales.amount) as amount -- expect: split-period
  , customers.id as customer_id
from sales
join customers on customers.id = sales.customer_id
where extract(year from sales.day) = extract(year from :period_start)
group by customers.name, customers.id
order by amount desc, customers.id
