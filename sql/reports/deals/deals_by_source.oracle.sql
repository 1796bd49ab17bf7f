-- Each source by itself, from all deals, by local days.
with sources as (
    select deal_sources.id, deal_sources.name from deal_sources
    union all
    select null, 'Не указан'
),
days as (
    select
        deals.source_id,
        deals.amount_kopecks,
        (deals.created_at at time zone :time_zone)::date as created_on,
        (deals.won_at at time zone :time_zone)::date as won_on,
        (deals.lost_at at time zone :time_zone)::date as lost_on
    from deals
),
figures as (
    select
        sources.id,
        sources.name,
        (select count(*) from days where days.source_id is not distinct from sources.id
            and days.created_on between :period_start and :period_end - 1) as created,
        (select count(*) from days where days.source_id is not distinct from sources.id
            and days.won_on between :period_start and :period_end - 1) as won,
        (select count(*) from days where days.source_id is not distinct from sources.id
            and days.lost_on between :period_start and :period_end - 1) as lost,
        (select count(*) from days where days.source_id is not distinct from sources.id
            and days.created_on < :period_end
            and least(days.won_on, days.lost_on, 'infinity') >= :period_end) as open,
        (select coalesce(sum(days.amount_kopecks), 0) from days where days.source_id is not distinct from sources.id
            and days.won_on between :period_start and :period_end - 1) as won_amount,
        (select coalesce(sum(days.amount_kopecks), 0) from days where days.source_id is not distinct from sources.id
            and days.created_on < :period_end
            and least(days.won_on, days.lost_on, 'infinity') >= :period_end) as open_amount
    from sources
)
select
    figures.name as source,
    figures.created,
    figures.won,
    figures.lost,
    figures.open,
    figures.won_amount,
    figures.open_amount,
    round(1.00000000000000000000 * figures.won_amount / nullif(figures.won, 0)) as average_deal,
    round(100.0 * figures.won / nullif(figures.won + figures.lost, 0), 1) as win_rate,
    coalesce(figures.id::text, '0') as source_id
from figures
where figures.created + figures.won + figures.lost + figures.open > 0
order by figures.won_amount desc, figures.name collate "C", figures.id
