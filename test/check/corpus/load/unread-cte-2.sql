/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
with paid as (select operations.id, operations.paid_on, operations.amount_kopecks from operations)
select paid.id::text as name, paid.amount_kopecks as amount
from public.paid
where paid.paid_on >= :period_start and paid.paid_on < :period_end
order by paid.id
-- 11: load: public.paid is named with its schema, expected paid
