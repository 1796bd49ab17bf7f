/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  amount: { title: Amount, type: money, total: none }
key: [sale]
summary: Sold {row_count}.
parameters:
  part: { title: Part, type: integer, values: { sql: "select id - 1 as value, name as label from customers order by id" } } # -- expect: parameter
---*/
select sales.id::text as sale, -- expect: execution
  round(1.0 * sales.amount / coalesce(:part::bigint, 1)) as amount
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
