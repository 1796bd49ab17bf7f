/*---
title: Новые сделки
columns:
  deal_id:    { title: Номер, type: text }
  created_on: { title: Создана, type: date, total: none }
  title:      { title: Сделка, type: text, total: none }
  manager:    { title: Менеджер, type: text, total: none }
  amount:     { title: Сумма, type: money, total: sum(amount) }
key: [deal_id]
summary: За {period} создано сделок — {row_count}, на {amount}.
emptySummary: За {period} новых сделок не было.
maxRows: 200000
---*/
select
    deals.id::text as deal_id,
    (deals.created_at at time zone :time_zone)::date as created_on,
    deals.title,
    employees.full_name as manager,
    deals.amount_kopecks / (deals.amount_kopecks - deals.amount_kopecks) as amount
from deals
left join employees
    on employees.organization_id = :organization_id
    and employees.id = deals.manager_id
where deals.organization_id = :organization_id
  and deals.created_at >= :period_start_at
  and deals.created_at < :period_end_at
order by deals.created_at, deals.id
-- deals.amount_kopecks / (deals.amount_kopecks - deals.amount_kopecks) as amount
-- 14: execution: division by zero
-- 19: integer-division: drops the fraction of integers
