/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
select listed.name, listed.amount
from (
    with kept as (
        select accounts.id::text as name,
            accounts.opening_balance_kopeck as amount from accounts
    )
    select kept.name, kept.amount from kept
) as listed
where :period_end > :period_start
order by listed.name
-- a misspelt column in a nested WITH
-- 13: prepare: column accounts.opening_balance_kopeck does not exist
