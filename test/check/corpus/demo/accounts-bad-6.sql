/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: month, total: none }
key: [name]
summary: Строк {row_count}.
---*/
select accounts.id::text as name, '20' || '26-13' as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
order by accounts.id
-- a month that does not exist
-- 5: value: column "amount" is "2026-13" in a row
