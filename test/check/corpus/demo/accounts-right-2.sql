/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: none }
key: [name]
summary: Строк {row_count}.
---*/
with parts as (
    select deal_stage_visits.stage_id, deals.amount_kopecks::numeric / count(*) over (partition by deals.id) as part
    from deals
    join deal_stage_visits
        on deal_stage_visits.organization_id = :organization_id and deal_stage_visits.deal_id = deals.id
    where deals.organization_id = :organization_id and deals.created_at < :period_end_at
)
select parts.stage_id::text as name, round(sum(parts.part)) as amount
from parts
group by parts.stage_id
order by parts.stage_id
-- each joined row has its part of a sum
