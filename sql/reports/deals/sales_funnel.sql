/*---
title: Воронка продаж
description: На каких этапах сделки застревают и уходят. Сделка, вернувшаяся на этап, учтена на нём ещё раз.
dateBasis: event
keywords: [конверсия, этапы, стадии, продажи, pipeline, conversion, stages, deals]
position: 2
columns:
  stage:       { title: Этап, type: text }
  kind:        { title: Вид, type: text, total: none }
  at_start:    { title: На начало, type: integer, total: sum(at_start), aggregation: { rows: sum, periods: first } }
  entered:     { title: Вошло, type: integer, total: none }
  left:        { title: Вышло, type: integer, total: none }
  advanced:    { title: Прошло дальше, type: integer, total: none }
  conversion:  { title: Конверсия, type: percent, total: "round(100.0 * sum(won) / nullif(sum(won) + sum(lost), 0), 1)" }
  at_end:      { title: На конец, type: integer, total: sum(at_end), aggregation: { rows: sum, periods: last } }
  amount:      { title: Сумма на этапе, type: money, total: sum(amount), aggregation: { rows: sum, periods: last } }
  median_days: { title: Медиана дней на этапе, type: number, total: none, unit: day }
  stage_id:    { title: Номер этапа, type: text, total: none }
  won:         { title: Выиграно, type: integer, total: sum(won), hidden: true }
  lost:        { title: Проиграно, type: integer, total: sum(lost), hidden: true }
key: [stage_id]
chart: { kind: bars, measures: [entered], label: stage, order: rows }
summary: >-
  За {period}
  {won, plural,
  one {выиграна # сделка} few {выиграны # сделки} many {выиграно # сделок} other {выиграно # сделки}},
  {lost, plural,
  one {проиграна # сделка} few {проиграны # сделки} many {проиграно # сделок} other {проиграно # сделки}}{conversion_sign, select,
  none {} other {, конверсия — {conversion}}},
  {at_end, plural,
  =0 {в работе сделок не осталось}
  one {в работе осталась # сделка на {amount}}
  few {в работе остались # сделки на {amount}}
  many {в работе осталось # сделок на {amount}}
  other {в работе осталось # сделки на {amount}}}.
emptySummary: За {period} в воронке не было ни одной сделки.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 65 }
---*/
-- Tuned 2026-11-22, over this year: 0.6 ms and 31 buffers for the median demo organization, 22 ms and 340 for the
-- large one, with deal_stage_visits_by_leaving and deals_amount; without: 1.3 ms and 946, 31 ms and 2,380.
-- The unit is a visit: a deal that returns to a stage counts again, and the past shows the stage at that time.
-- why: materialized, because stages are read four times, and an organization's stages are spread over shared pages
with stages as materialized (
    select
        deal_stages.id,
        deal_stages.name,
        deal_stages.position,
        deal_stages.kind
    from deal_stages
),
open_visits as (
    select
        deal_stage_visits.stage_id,
        deal_stage_visits.deal_id,
        deal_stage_visits.entered_at >= :period_start_at as has_entered,
        coalesce(deal_stage_visits.left_at, 'infinity') < :period_end_at as has_left,
        to_stages.kind = 'won' or (to_stages.kind = 'open' and to_stages.position > stages.position) as is_forward,
        -- why: percentiles sort float8 faster than the numeric of extract
        date_part('epoch', deal_stage_visits.left_at - deal_stage_visits.entered_at) as seconds
    from deal_stage_visits
    -- why: with an inner join, the planner expects few visits and looks up each deal
    left join stages on stages.id = deal_stage_visits.stage_id
    left join stages as to_stages on to_stages.id = deal_stage_visits.to_stage_id
    -- why: an array instead of a join, so that one scan of the index returns all
    where deal_stage_visits.stage_id = any (array(
          select stages.id
          from stages
          where stages.kind = 'open'
      ))
      and deal_stage_visits.entered_at < :period_end_at
      -- why: matches the index deal_stage_visits_by_leaving
      and coalesce(deal_stage_visits.left_at, 'infinity') >= :period_start_at
),
open_stages as (
    select
        open_visits.stage_id,
        count(*) filter (where not open_visits.has_entered) as at_start,
        count(*) filter (where open_visits.has_entered) as entered,
        count(*) filter (where open_visits.has_left) as "left",
        count(*) filter (where open_visits.has_left and open_visits.is_forward) as advanced,
        count(*) filter (where not open_visits.has_left) as at_end,
        sum(deals.amount_kopecks) as amount,
        percentile_cont(0.5) within group (order by open_visits.seconds)
            filter (where open_visits.has_left)::numeric as median_seconds
    from open_visits
    left join deals
        on deals.id = open_visits.deal_id
        and not open_visits.has_left
        -- why: ids grow with time, so this range of ids excludes older deals
        and deals.id >= (select min(open_visits.deal_id) from open_visits)
        and deals.id <= (select max(open_visits.deal_id) from open_visits)
    group by open_visits.stage_id
),
final_stages as (
    select
        deal_stage_visits.stage_id,
        count(*) as entered
    from deal_stage_visits
    where deal_stage_visits.stage_id = any (array(
          select stages.id
          from stages
          where stages.kind in ('won', 'lost')
      ))
      and deal_stage_visits.entered_at >= :period_start_at
      and deal_stage_visits.entered_at < :period_end_at
    group by deal_stage_visits.stage_id
)
select
    stages.name as stage,
    case stages.kind when 'open' then 'Рабочий' when 'won' then 'Успех' else 'Отказ' end as kind,
    coalesce(open_stages.at_start, 0) as at_start,
    coalesce(open_stages.entered, final_stages.entered) as entered,
    coalesce(open_stages."left", 0) as "left",
    coalesce(open_stages.advanced, 0) as advanced,
    round(100.0 * open_stages.advanced / nullif(open_stages."left", 0), 1) as conversion,
    coalesce(open_stages.at_end, 0) as at_end,
    coalesce(open_stages.amount, 0) as amount,
    round(open_stages.median_seconds / 86400, 1) as median_days,
    stages.id::text as stage_id,
    case when stages.kind = 'won' then final_stages.entered else 0 end as won,
    case when stages.kind = 'lost' then final_stages.entered else 0 end as lost
from stages
left join open_stages on open_stages.stage_id = stages.id
left join final_stages on final_stages.stage_id = stages.id
where open_stages.stage_id is not null
   or final_stages.stage_id is not null
order by stages.position, stages.name collate "C", stages.id
