/*---
title: Потерянные сделки
description: Почему сделки проиграны и на каком этапе. Учтён этап, с которого сделка ушла в последний раз.
dateBasis: completion
keywords: [отказы, проигранные, почему, причины, lost deals, reasons, refusals]
position: 5
columns:
  reason:      { title: Причина, type: text }
  stage:       { title: Этап, type: text }
  deals:       { title: Сделок, type: integer, aggregation: { rows: sum, periods: sum } }
  amount:      { title: Сумма, type: money, aggregation: { rows: sum, periods: sum } }
  share:       { title: Доля, type: percent }
  median_days: { title: Медиана дней до отказа, type: number, unit: day }
  stage_id:    { title: Номер этапа, type: text }
key: [reason, stage_id]
chart: { kind: bars, measures: [amount], label: reason }
facts:
  main_reason: { type: text }
  main_deals: { type: integer }
summary: >-
  За {period}
  {deals, plural,
  one {потеряна # сделка}
  few {потеряны # сделки}
  many {потеряно # сделок}
  other {потеряно # сделки}} на {amount}{main_deals, plural,
  =0 {}
  =1 {, {main_reason, select, none {причина не указана} other {причина — «{main_reason}»}}}
  other {, {main_reason, select,
  none {чаще всего причина не указана}
  other {самая частая причина — «{main_reason}»}}
  ({main_deals, plural, one {# сделка} few {# сделки} many {# сделок} other {# сделки}})}}.
emptySummary: За {period} потерянных сделок не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 200000
budget: { buffersPerThousandRows: 25 }
---*/
-- Tuned 2026-11-22, over this year: 0.3 ms and 15 buffers for the median demo organization, 3.7 ms and 82 for the
-- large one, with deal_stage_visits_by_target, deals_by_loss and deals_by_loss_long_reason; without: 0.7 ms and
-- 501, 11 ms and 1,501.
-- why: materialized, because stages are read twice, and an organization's stages are spread over shared pages
with stages as materialized (
    select
        deal_stages.id,
        deal_stages.name,
        deal_stages.position,
        deal_stages.kind
    from deal_stages
),
-- why: two parts, one for each index: deals_by_loss covers all columns here, so the table is read only for reasons
-- that are too long for it, which deals_by_loss_long_reason finds
lost_deals as (
    select
        deals.id,
        deals.amount_kopecks,
        -- why: byte order, as in the result: a sort by another collation takes several times as long
        case when btrim(deals.lost_reason, E' \t\r\n\u00a0') <> '' then deals.lost_reason else 'Не указана' end collate "C" as reason,
        -- why: percentiles sort float8 faster than the numeric of extract
        date_part('epoch', deals.lost_at - deals.created_at) as seconds
    from deals
    where deals.lost_at >= :period_start_at
      and deals.lost_at < :period_end_at
      and coalesce(octet_length(deals.lost_reason), 0) <= 1000
    union all
    select
        deals.id,
        deals.amount_kopecks,
        case when btrim(deals.lost_reason, E' \t\r\n\u00a0') <> '' then deals.lost_reason else 'Не указана' end collate "C",
        date_part('epoch', deals.lost_at - deals.created_at)
    from deals
    where deals.lost_at >= :period_start_at
      and deals.lost_at < :period_end_at
      and octet_length(deals.lost_reason) > 1000
),
-- The stage from which each deal last moved to a lost stage.
last_stages as (
    select distinct on (deal_stage_visits.deal_id)
        deal_stage_visits.deal_id,
        deal_stage_visits.stage_id
    from deal_stage_visits
    -- why: an array instead of a join, so that one scan of the index deal_stage_visits_by_target returns all
    where deal_stage_visits.to_stage_id = any (array(
          select stages.id
          from stages
          where stages.kind = 'lost'
      ))
      -- why: ids grow with time, so this excludes older deals. With two bounds, the planner would expect few rows and
      -- read 642 buffers instead of 57 (2026-11-21)
      and deal_stage_visits.deal_id >= (select min(lost_deals.id) from lost_deals)
    order by deal_stage_visits.deal_id, deal_stage_visits.left_at desc, deal_stage_visits.id desc
),
-- why: grouping sets, because the total median cannot be calculated from medians of rows;
-- the empty grouping set returns a row even if there are no deals
figures as (
    select
        grouping(lost_deals.reason) = 1 as is_total,
        lost_deals.reason,
        last_stages.stage_id,
        count(*) as deals,
        coalesce(sum(lost_deals.amount_kopecks), 0) as amount,
        percentile_cont(0.5) within group (order by lost_deals.seconds)::numeric as median_seconds
    from lost_deals
    left join last_stages on last_stages.deal_id = lost_deals.id
    group by grouping sets ((), (lost_deals.reason, last_stages.stage_id))
),
reasons as (
    select
        figures.reason,
        sum(figures.deals) as deals,
        row_number() over most_first as place,
        lead(sum(figures.deals), 1, 0::numeric) over most_first as next_deals
    from figures
    where not figures.is_total
    group by figures.reason
    window most_first as (order by sum(figures.deals) desc)
),
-- The most frequent reason, if it is unique.
main_reason as (
    select
        reasons.reason,
        reasons.deals
    from reasons
    where reasons.place = 1
      and reasons.deals > reasons.next_deals
)
select
    figures.is_total,
    figures.reason,
    case when not figures.is_total then coalesce(stages.name, 'Не указан') end as stage,
    figures.deals,
    figures.amount,
    round(
        100.00000000000000000000 * figures.amount / nullif(sum(figures.amount) filter (where figures.is_total) over (), 0), 1
    ) as share,
    round(figures.median_seconds / 86400, 1) as median_days,
    -- why: a key is never null, and ids begin with 1
    case when not figures.is_total then coalesce(figures.stage_id::text, '0') end as stage_id,
    nullif(main_reason.reason, 'Не указана') as main_reason,
    coalesce(main_reason.deals, 0) as main_deals
from figures
left join stages on stages.id = figures.stage_id
left join main_reason on figures.is_total
order by
    figures.is_total desc,
    sum(figures.amount) over (partition by figures.reason) desc,
    figures.reason collate "C",
    figures.amount desc,
    stages.position
