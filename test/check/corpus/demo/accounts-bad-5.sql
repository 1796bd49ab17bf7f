/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: month, total: none }
key: [name]
summary: Строк {row_count}.
---*/
select accounts.id::text as name, date '0044-03-15 BC' as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
order by accounts.id
-- a month before Christ
-- 5: value: column "amount" is "0044-03-15 BC" in a row
