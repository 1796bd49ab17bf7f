/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  amount: { title: Amount, type: money, total: none }
  all_sales: { title: All sales, type: money, total: none }
key: [sale]
facts:
  sold: { type: money, total: sum(amount) }
summary: Sold {sold}.
parameters:
  customer: { title: Customer, type: integer }
  sale: { title: Sale, type: integer } # -- expect: parameter
---*/
select sales.id::text as sale,
  sales.amount,
  sum(sales.amount) over () as all_sales
from sales
where sales.day >= :period_start and sales.day < :period_end
  and (:customer::bigint is null or sales.customer_id = :customer)
  and (:sale::bigint is not null or true)
order by sales.id
