/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: percent, total: "'NaN'::numeric" }
key: [name]
summary: Строк {row_count}.
---*/
select accounts.id::text as name, 1.0 as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
order by accounts.id
-- a share that is not a number
-- 5: value: column "amount" is "NaN" in the totals row
