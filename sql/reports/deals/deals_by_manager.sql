/*---
title: Сделки по менеджерам
description: "Кто сколько продал: сделки созданные, выигранные и проигранные, их суммы. Учтены даты создания, выигрыша и проигрыша, сумма — текущая."
dateBasis: event
keywords: [продажи, продавцы, сотрудники, менеджеры, план, managers, sales, salespeople, staff, employees, deals_open, deals_open_amount, deals_won, deals_won_amount, deal_conversion, average_deal]
position: 1
columns:
  manager:      { title: Менеджер, type: text }
  created:      { title: Создано, type: integer, total: sum(created), aggregation: { rows: sum, periods: sum }, link: "/reports/deals?manager={manager_id}&from={from}&to={to}" }
  won:          { title: Выиграно, type: integer, total: sum(won), aggregation: { rows: sum, periods: sum } }
  lost:         { title: Проиграно, type: integer, total: sum(lost), aggregation: { rows: sum, periods: sum } }
  open:         { title: В работе на конец, type: integer, total: sum(open), aggregation: { rows: sum, periods: last } }
  won_amount:   { title: Сумма выигранных, type: money, total: sum(won_amount), aggregation: { rows: sum, periods: sum } }
  open_amount:  { title: Сумма в работе, type: money, total: sum(open_amount), aggregation: { rows: sum, periods: last } }
  average_deal: { title: Средняя сделка, type: money, total: "round(1.00000000000000000000 * sum(won_amount) / nullif(sum(won), 0))" }
  win_rate:     { title: Доля выигранных, type: percent, total: "round(100.0 * sum(won) / nullif(sum(won) + sum(lost), 0), 1)" }
  manager_id:   { title: Номер менеджера, type: text, total: none }
key: [manager_id]
chart: { kind: bars, measures: [won_amount, open_amount], label: manager }
summary: >-
  За {period}
  {won, plural,
  =0 {выиграно 0 сделок}
  one {выиграна # сделка на {won_amount}}
  few {выиграны # сделки на {won_amount}}
  many {выиграно # сделок на {won_amount}}
  other {выиграно # сделки на {won_amount}}},
  {lost, plural,
  one {проиграна # сделка} few {проиграны # сделки} many {проиграно # сделок} other {проиграно # сделки}}{win_rate_sign, select,
  none {} other {, доля выигранных — {win_rate}}}.
emptySummary: За {period} сделок не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 15 }
---*/
-- Tuned 2026-11-21, over this year: 0.2 ms and 8 buffers for the median demo organization, 2.2 ms and 72 for the
-- large one, with deals_by_end and employees_named; without: 0.5 ms and 288, 9.0 ms and 622.
with counted as (
    select
        deals.manager_id,
        deals.amount_kopecks,
        deals.created_at >= :period_start_at as is_created,
        deals.won_at >= :period_start_at and deals.won_at < :period_end_at as is_won,
        deals.lost_at >= :period_start_at and deals.lost_at < :period_end_at as is_lost,
        coalesce(deals.won_at, deals.lost_at, 'infinity') >= :period_end_at as is_open
    from deals
    where deals.created_at < :period_end_at
      -- why: the expression of the index deals_by_end; won_at and lost_at are never both set
      and coalesce(deals.won_at, deals.lost_at, 'infinity') >= :period_start_at
),
by_manager as (
    select
        counted.manager_id,
        count(*) filter (where counted.is_created) as created,
        count(*) filter (where counted.is_won) as won,
        count(*) filter (where counted.is_lost) as lost,
        count(*) filter (where counted.is_open) as open,
        coalesce(sum(counted.amount_kopecks) filter (where counted.is_won), 0) as won_amount,
        coalesce(sum(counted.amount_kopecks) filter (where counted.is_open), 0) as open_amount
    from counted
    group by counted.manager_id
)
select
    coalesce(employees.full_name, 'Не назначен') as manager,
    by_manager.created,
    by_manager.won,
    by_manager.lost,
    by_manager.open,
    by_manager.won_amount,
    by_manager.open_amount,
    round(1.00000000000000000000 * by_manager.won_amount / nullif(by_manager.won, 0)) as average_deal,
    round(100.0 * by_manager.won / nullif(by_manager.won + by_manager.lost, 0), 1) as win_rate,
    -- why: a key is never null, and ids begin with 1
    coalesce(by_manager.manager_id::text, '0') as manager_id
from by_manager
left join employees on employees.id = by_manager.manager_id
order by
    by_manager.won_amount desc,
    coalesce(employees.full_name, 'Не назначен') collate "C",
    by_manager.manager_id
