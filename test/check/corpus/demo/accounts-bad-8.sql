/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amounts: { title: Сумма, type: money, total: sum(amounts) }
  share: { title: Доля, type: percent, total: "round(avg(missing))" }
key: [name]
summary: Строк {row_count}.
---*/
select categories.section as name, 1 as amount, 1.0 as share
from categories
where :period_end > :period_start
order by categories.id
-- many things at once
-- 5: prepare: column "amounts" does not exist
