/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
select projects.name, 1 as amount
from projects
where projects.organization_id = :organization_id and :period_end > :period_start
order by projects.name collate "C", projects.id
-- a key that is a name
-- 6: name-as-key: rows whose names are the same have one name
