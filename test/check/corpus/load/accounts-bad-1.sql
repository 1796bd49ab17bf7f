/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
select operations.id::text as name, operations.amount_kopecks as amount
from public.operations
where operations.paid_on >= :period_start and operations.paid_on < :period_end
order by operations.id
-- a table with its schema
-- 10: load: public.operations is named with its schema, expected operations
