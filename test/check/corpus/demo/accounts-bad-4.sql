/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
timeout: 100ms
summary: Строк {row_count}.
---*/
select many.number::text as name, many.number as amount
from generate_series(1, 30000000) as many (number)
where exists (select from accounts) and many.number % 29999999 = 0 and :period_end > :period_start
order by many.number
-- a statement that takes too long
-- 7: timeout: timed out, expected a result within 100ms
