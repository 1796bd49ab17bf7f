/*---
title: Счета
columns:
  name:   { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: none }
key: [name]
summary: Строк {row_count}.
---*/
select deals.manager_id::text as name, count(*) as amount
from deals
join deal_stage_visits
    on deal_stage_visits.organization_id = :organization_id and deal_stage_visits.deal_id = deals.id
join deal_stage_visits as others on others.organization_id = :organization_id and others.deal_id = deals.id
where deals.organization_id = :organization_id
  and deals.created_at >= :period_start_at and deals.created_at < :period_end_at
  and deals.manager_id is not null
group by deals.manager_id
order by deals.manager_id
-- pairs of rows of one table are counted, which no copies show
