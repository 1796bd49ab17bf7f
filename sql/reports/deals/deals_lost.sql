/*---
title: Потерянные сделки
columns:
  reason:      { title: Причина, type: text }
  stage:       { title: Этап, type: text }
  deals:       { title: Сделок, type: integer }
  amount:      { title: Сумма, type: money }
  share:       { title: Доля, type: percent }
  median_days: { title: Медиана дней до отказа, type: number }
facts:
  main_reason: { type: text }
  main_deals: { type: integer }
summary: >-
  За {period}
  {deals, plural,
  one {потеряна # сделка}
  few {потеряны # сделки}
  many {потеряно # сделок}
  other {потеряно # сделки}} на {amount},
  {deals, plural,
  =1 {{main_reason, select, none {причина не указана} other {причина — «{main_reason}»}}}
  other {{main_reason, select,
  none {чаще всего причина не указана}
  other {самая частая причина — «{main_reason}»}}
  ({main_deals, plural, one {# сделка} few {# сделки} many {# сделок} other {# сделки}})}}.
emptySummary: За {period} потерянных сделок не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 200000
---*/
-- Tuned 2026-11-21, over this year: 0.5 ms and 57 buffers for the median demo organization, 9.2 ms and 321 for
-- the large one, with deal_stage_visits_by_target; without: 1.2 ms and 642, 22 ms and 1,228.
with lost_deals as (
    select
        deals.id,
        deals.amount_kopecks,
        case when btrim(deals.lost_reason) <> '' then deals.lost_reason else 'Не указана' end as reason,
        extract(epoch from deals.lost_at - deals.created_at) as seconds
    from deals
    where deals.organization_id = :organization_id
      and deals.lost_at >= :period_start_at
      and deals.lost_at < :period_end_at
),
-- Where deals were lost, whenever: the stage that each left for a lost one, if more than once the last time.
last_stages as (
    select distinct on (deal_stage_visits.deal_id)
        deal_stage_visits.deal_id,
        deal_stage_visits.stage_id
    from deal_stage_visits
    where deal_stage_visits.organization_id = :organization_id
      -- why: an array and not a join, so that one stretch of the index deal_stage_visits_by_target has them all
      and deal_stage_visits.to_stage_id = any (array(
          select deal_stages.id
          from deal_stages
          where deal_stages.organization_id = :organization_id
            and deal_stages.kind = 'lost'
      ))
    order by deal_stage_visits.deal_id, deal_stage_visits.left_at desc, deal_stage_visits.id desc
),
placed as (
    select
        lost_deals.reason,
        last_stages.stage_id,
        lost_deals.amount_kopecks,
        lost_deals.seconds
    from lost_deals
    left join last_stages on last_stages.deal_id = lost_deals.id
),
-- why: grouping sets, since a median of the whole is no aggregate of the rows' medians; () is there with no rows too
figures as (
    select
        grouping(placed.reason) = 1 as is_total,
        placed.reason,
        placed.stage_id,
        count(*) as deals,
        coalesce(sum(placed.amount_kopecks), 0) as amount,
        percentile_cont(0.5) within group (order by placed.seconds)::numeric as median_seconds
    from placed
    group by grouping sets ((), (placed.reason, placed.stage_id))
),
main_reason as (
    select
        lost_deals.reason,
        count(*) as deals
    from lost_deals
    group by lost_deals.reason
    order by deals desc, sum(lost_deals.amount_kopecks) desc, lost_deals.reason collate "C"
    limit 1
)
select
    figures.is_total,
    figures.reason,
    case when not figures.is_total then coalesce(deal_stages.name, 'Не указан') end as stage,
    figures.deals,
    figures.amount,
    -- why: twenty decimals more, since numeric keeps 16 digits of a quotient and one near a half would be rounded twice
    round(
        100.00000000000000000000 * figures.amount / nullif(sum(figures.amount) filter (where figures.is_total) over (), 0), 1
    ) as share,
    round(figures.median_seconds / 86400, 1) as median_days,
    nullif(main_reason.reason, 'Не указана') as main_reason,
    main_reason.deals as main_deals
from figures
left join deal_stages
    on deal_stages.organization_id = :organization_id
    and deal_stages.id = figures.stage_id
left join main_reason on figures.is_total
order by figures.is_total desc, figures.amount desc, figures.reason collate "C", deal_stages.position
