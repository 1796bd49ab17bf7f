/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
select deal_stages.id::text as name, 0 as amount
from deal_stages
where deal_stages.organization_id = :organization_id and :period_end > :period_start
order by deal_stages.position
-- an order that is unique in the product without being the key
