/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
select accounts.id::text as name, accounts.opening_balance_kopecks as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
union all
select 'account ' || accounts.id, 0 from accounts
order by name
-- one arm of a union
