/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: "(select max(id) from projects)" }
key: [name]
summary: Строк {row_count}.
---*/
select accounts.id::text as name, accounts.opening_balance_kopecks as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
order by accounts.id
-- amount: { title: Сумма, type: money, total: "(select max(id) from projects)" }
-- 5: load: columns.amount.total:
