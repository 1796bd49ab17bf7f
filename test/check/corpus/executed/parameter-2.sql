/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  amount: { title: Amount, type: money, total: none }
key: [sale]
summary: Sold {row_count}.
parameters:
  part: { title: Part, type: integer, default: 1, values: { 1: All, 0: None } } # -- expect: parameter
---*/
select sales.id::text as sale, -- expect: execution
  round(1.0 * sales.amount / coalesce(:part::bigint, 1)) as amount
from sales
where sales.day >= :period_start and sales.day < :period_end
order by sales.id
