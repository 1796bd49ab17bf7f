-- Each source by itself, and all of them, from all deals, by local days.
with lines as (
    select false as is_total, deal_sources.id, deal_sources.name as name from deal_sources
    union all
    select false, null, 'Не указан'
    union all
    select true, null, null
),
days as (
    select
        deals.source_id,
        deals.amount_kopecks,
        (deals.created_at at time zone :time_zone)::date between :period_start and :period_end - 1 as is_created,
        (deals.won_at at time zone :time_zone)::date between :period_start and :period_end - 1 as is_won,
        (deals.lost_at at time zone :time_zone)::date between :period_start and :period_end - 1 as is_lost,
        (deals.created_at at time zone :time_zone)::date < :period_end
            and coalesce((greatest(deals.won_at, deals.lost_at) at time zone :time_zone)::date >= :period_end, true)
            as is_open
    from deals
),
figures as (
    select
        lines.is_total,
        lines.id,
        lines.name,
        count(*) filter (where days.is_created) as created,
        count(*) filter (where days.is_won) as won,
        count(*) filter (where days.is_lost) as lost,
        count(*) filter (where days.is_open) as open,
        coalesce(sum(case when days.is_won then days.amount_kopecks end), 0) as won_amount,
        coalesce(sum(case when days.is_open then days.amount_kopecks end), 0) as open_amount
    from lines
    left join days on lines.is_total or days.source_id is not distinct from lines.id
    group by lines.is_total, lines.id, lines.name
)
select
    figures.is_total,
    figures.name as source,
    figures.created,
    figures.won,
    figures.lost,
    figures.open,
    figures.won_amount,
    figures.open_amount,
    case when figures.won > 0 then round(1.00000000000000000000 * figures.won_amount / figures.won) end as average_deal,
    case when figures.won + figures.lost > 0 then round(100.0 * figures.won / (figures.won + figures.lost), 1) end as win_rate,
    case when not figures.is_total then coalesce(figures.id::text, '0') end as source_id,
    (
        select case when best.id is not null then best.name end
        from figures as best
        where best.won_amount > 0
          and not best.is_total
        order by best.won_amount desc, best.name collate "C", best.id
        limit 1
    ) as best
from figures
where figures.is_total
   or figures.created + figures.won + figures.lost + figures.open > 0
order by figures.is_total desc, figures.won_amount desc, figures.name collate "C", figures.id
