/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: none }
key: [name]
summary: Строк {row_count}.
---*/
select newest.id::text as name, newest.amount_kopecks as amount
from (
    select distinct on (deals.manager_id) deals.manager_id, deals.id, deals.amount_kopecks
    from deals where deals.organization_id = :organization_id and deals.created_at < :period_end_at
    order by deals.manager_id, deals.created_at desc
) as newest
order by newest.manager_id
-- the last row of each, by an instant only
-- 9: row-order: depends on the physical row order
