/*---
title: Сделки по источникам
description: Откуда приходят покупатели и сколько приносит каждый источник. Учтены даты создания, выигрыша и проигрыша, сумма — текущая.
dateBasis: event
keywords: [реклама, маркетинг, каналы, откуда, лиды, leads, marketing, advertising, channels]
position: 4
columns:
  source:       { title: Источник, type: text }
  created:      { title: Создано, type: integer, total: sum(created), aggregation: { rows: sum, periods: sum } }
  won:          { title: Выиграно, type: integer, total: sum(won), aggregation: { rows: sum, periods: sum } }
  lost:         { title: Проиграно, type: integer, total: sum(lost), aggregation: { rows: sum, periods: sum } }
  open:         { title: В работе на конец, type: integer, total: sum(open), aggregation: { rows: sum, periods: last } }
  won_amount:   { title: Сумма выигранных, type: money, total: sum(won_amount), aggregation: { rows: sum, periods: sum } }
  open_amount:  { title: Сумма в работе, type: money, total: sum(open_amount), aggregation: { rows: sum, periods: last } }
  average_deal: { title: Средняя сделка, type: money, total: "round(1.00000000000000000000 * sum(won_amount) / nullif(sum(won), 0))" }
  win_rate:     { title: Доля выигранных, type: percent, total: "round(100.0 * sum(won) / nullif(sum(won) + sum(lost), 0), 1)" }
  source_id:    { title: Номер источника, type: text, total: none }
key: [source_id]
chart: { kind: bars, measures: [won_amount, open_amount], label: source }
facts:
  best: { type: text, total: "(array_agg(case when source_id <> '0' then source end order by won_amount desc, source collate \"C\", nullif(source_id, '0')::bigint) filter (where won_amount > 0))[1]" }
summary: >-
  За {period}
  {created, plural,
  one {создана # сделка} few {созданы # сделки} many {создано # сделок} other {создано # сделки}},
  {won, plural,
  =0 {выиграно 0 сделок}
  one {выиграна # сделка на {won_amount}}
  few {выиграны # сделки на {won_amount}}
  many {выиграно # сделок на {won_amount}}
  other {выиграно # сделки на {won_amount}}}{win_rate_sign, select,
  none {} other {, доля выигранных — {win_rate}}}{best, select,
  none {} other {; больше всего принёс источник «{best}»}}.
emptySummary: За {period} сделок не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 15 }
---*/
-- Tuned 2026-11-22, over this year: 0.1 ms and 8 buffers for the median demo organization, 1.1 ms and 70 for the
-- large one, with deals_by_end and deal_sources_named; without: 0.2 ms and 286, 3.4 ms and 620.
with counted as (
    select
        deals.source_id,
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
by_source as (
    select
        counted.source_id,
        count(*) filter (where counted.is_created) as created,
        count(*) filter (where counted.is_won) as won,
        count(*) filter (where counted.is_lost) as lost,
        count(*) filter (where counted.is_open) as open,
        coalesce(sum(counted.amount_kopecks) filter (where counted.is_won), 0) as won_amount,
        coalesce(sum(counted.amount_kopecks) filter (where counted.is_open), 0) as open_amount
    from counted
    group by counted.source_id
)
select
    coalesce(deal_sources.name, 'Не указан') as source,
    by_source.created,
    by_source.won,
    by_source.lost,
    by_source.open,
    by_source.won_amount,
    by_source.open_amount,
    round(1.00000000000000000000 * by_source.won_amount / nullif(by_source.won, 0)) as average_deal,
    round(100.0 * by_source.won / nullif(by_source.won + by_source.lost, 0), 1) as win_rate,
    -- why: a key is never null, and ids begin with 1
    coalesce(by_source.source_id::text, '0') as source_id
from by_source
left join deal_sources on deal_sources.id = by_source.source_id
order by
    by_source.won_amount desc,
    coalesce(deal_sources.name, 'Не указан') collate "C",
    by_source.source_id
