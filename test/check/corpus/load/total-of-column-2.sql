/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: "(select max(total) from (select sum(amount) as total from report group by name) as sums)" }
key: [name]
summary: Строк {row_count}.
---*/
select operations.id::text as name, operations.amount_kopecks as amount
from operations
where operations.paid_on >= :period_start and operations.paid_on < :period_end
order by operations.id
-- 5: load: columns.amount.total: a subquery, expected an aggregate over the rows of the report
-- 5: load: columns.amount.total: report is neither a table
