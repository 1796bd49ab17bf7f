/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount) }
key: [name]
summary: Строк {row_count}.
---*/
select deal_stage_visits.id::text as name, deals.amount_kopecks as amount
from deals
join deal_stage_visits
    on deal_stage_visits.organization_id = :organization_id and deal_stage_visits.deal_id = deals.id
where deals.organization_id = :organization_id
  and deals.created_at >= :period_start_at and deals.created_at < :period_end_at
order by deal_stage_visits.id
-- a total of a repeated value
-- 11: fan-out: rows of deal_stage_visits repeat what "amount" adds up or averages
