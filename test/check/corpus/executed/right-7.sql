/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [sale]
summary: Sold {amount}.
parameters:
  customer: { title: Customer, type: integer }
  least: { title: At least, type: money, minimum: 0, default: 0 }
  most: { title: At most, type: money }
  since: { title: Since, type: date }
  large: { title: Large, type: boolean }
---*/
select sales.id::text as sale, sales.amount
from sales
where sales.day >= :period_start and sales.day < :period_end
  and (:customer::bigint is null or sales.customer_id = :customer)
  and sales.amount >= :least
  and (:most::bigint is null or sales.amount <= :most)
  and (:since::date is null or sales.day >= :since)
  and (:large::boolean is null or (sales.amount > 1000) = :large)
order by sales.id
