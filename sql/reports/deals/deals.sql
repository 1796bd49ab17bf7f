/*---
title: Реестр сделок
description: "Все сделки по одной: покупатель, этап, сумма и менеджер. Учтены сделки, созданные в периоде, в нынешнем состоянии."
dateBasis: creation
keywords: [продажи, заказы, журнал, последние, sales, orders, register, latest, recent, pipeline]
position: 6
columns:
  deal_id:    { title: Номер, type: text }
  title:      { title: Сделка, type: text }
  customer:   { title: Покупатель, type: text }
  manager:    { title: Менеджер, type: text }
  source:     { title: Источник, type: text }
  stage:      { title: Этап, type: text }
  status:     { title: Статус, type: text }
  created_at: { title: Создана, type: datetime }
  closed_at:  { title: Закрыта, type: datetime }
  amount:     { title: Сумма, type: money, aggregation: { rows: sum, periods: sum } }
  won_amount: { title: Выиграно, type: money, aggregation: { rows: sum, periods: sum } }
  updated_at: { title: Изменена, type: datetime }
key: [deal_id]
chart: { kind: columns, measures: [amount, won_amount], label: created_at }
facts:
  won: { type: integer }
  lost: { type: integer }
  open: { type: integer }
summary: >-
  За {period}
  {row_count, plural,
  one {создана # сделка на {amount}}
  few {созданы # сделки на {amount}}
  many {создано # сделок на {amount}}
  other {создано # сделки на {amount}}},
  из них {won, plural,
  =0 {выиграно 0}
  one {выиграна # на {won_amount}}
  few {выиграны # на {won_amount}}
  many {выиграно # на {won_amount}}
  other {выиграно # на {won_amount}}},
  {lost, plural, one {проиграна #} few {проиграны #} many {проиграно #} other {проиграно #}}, в работе — {open}.
emptySummary: За {period} новых сделок не было.
parameters:
  manager:
    title: Менеджер
    type: integer
    values: { sql: "select value, label from (select 0 as value, 'Не назначен' as label union all select id, full_name from employees) as options order by value > 0, label collate \"C\", value" }
  stage:
    title: Этап
    type: integer
    values: { sql: "select id as value, name as label from deal_stages order by name collate \"C\", id" }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 40s
maxRows: 1000000
budget: { buffersPerThousandRows: 60 }
---*/
-- Tuned 2026-11-21, over this year: 0.5 ms and 192 buffers for the median demo organization, 12 ms and 566 for the
-- large one, with counterparties_named and employees_named; without: 0.6 ms and 248, 34 ms and 566.
-- If rows are read in the order of deals_by_created_at, as the report operations does, they are joined one by one:
-- 15 ms and 6,969 for the large one.
-- Deals by date of creation, in their current state.
with totals as (
    select
        -- why: count(deals.id) instead of count(*): deals_by_end has no id, so the planner does not scan it; it is
        -- not ordered by created_at, so that scan would read all deals
        count(deals.id) as row_count,
        coalesce(sum(deals.amount_kopecks), 0) as amount,
        coalesce(sum(deals.amount_kopecks) filter (where deals.won_at is not null), 0) as won_amount,
        count(deals.won_at) as won,
        count(deals.lost_at) as lost,
        count(*) filter (where deals.won_at is null and deals.lost_at is null) as open
    from deals
    where deals.created_at >= :period_start_at
      and deals.created_at < :period_end_at
      and (:manager::bigint is null or coalesce(deals.manager_id, 0) = :manager)
      and (:stage::bigint is null or deals.stage_id = :stage)
)
select
    register.is_total,
    register.row_count,
    register.deal_id,
    register.title,
    register.customer,
    register.manager,
    register.source,
    register.stage,
    register.status,
    register.created_at,
    register.closed_at,
    register.amount,
    register.won_amount,
    register.updated_at,
    register.won,
    register.lost,
    register.open
from (
    -- why: the totals have the earliest date, so that two sorted parts are merged without another sort
    select
        '-infinity'::timestamptz as order_at,
        0::bigint as order_id,
        true as is_total,
        totals.row_count,
        null::text as deal_id,
        null::text as title,
        null::text as customer,
        null::text as manager,
        null::text as source,
        null::text as stage,
        null::text as status,
        null::timestamptz as created_at,
        null::timestamptz as closed_at,
        totals.amount,
        totals.won_amount,
        null::timestamptz as updated_at,
        totals.won,
        totals.lost,
        totals.open
    from totals
    union all
    (
        select
            deals.created_at,
            deals.id,
            false,
            null::bigint,
            deals.id::text,
            deals.title,
            counterparties.name,
            employees.full_name,
            deal_sources.name,
            deal_stages.name,
            case
                when deals.won_at is not null then 'Выиграна'
                when deals.lost_at is not null then 'Проиграна'
                else 'В работе'
            end,
            deals.created_at,
            coalesce(deals.won_at, deals.lost_at),
            deals.amount_kopecks::numeric,
            case when deals.won_at is not null then deals.amount_kopecks else 0 end::numeric,
            deals.updated_at,
            null::bigint,
            null::bigint,
            null::bigint
        from deals
        left join counterparties on counterparties.id = deals.counterparty_id
        left join employees on employees.id = deals.manager_id
        left join deal_sources on deal_sources.id = deals.source_id
        left join deal_stages on deal_stages.id = deals.stage_id
        where deals.created_at >= :period_start_at
          and deals.created_at < :period_end_at
          and (:manager::bigint is null or coalesce(deals.manager_id, 0) = :manager)
          and (:stage::bigint is null or deals.stage_id = :stage)
        order by deals.created_at, deals.id
    )
) as register
order by register.order_at, register.order_id
