-- The last stage of every deal that was ever lost is numbered out of all visits; then the lost ones of the period are joined.
with last_stages as (
    select
        v.deal_id,
        st.name as stage,
        st.position,
        row_number() over (partition by v.deal_id order by v.left_at desc, v.id desc) as place
    from deal_stage_visits v
    join deal_stages st on st.organization_id = v.organization_id and st.id = v.stage_id
    join deal_stages lost on lost.organization_id = v.organization_id and lost.id = v.to_stage_id and lost.kind = 'lost'
    where v.organization_id = :organization_id
),
lost_deals as (
    select
        d.id,
        d.amount_kopecks,
        case when btrim(d.lost_reason, E' \t\r\n\u00a0') <> '' then d.lost_reason else 'Не указана' end as reason,
        coalesce(s.stage, 'Не указан') as stage,
        s.position,
        extract(epoch from d.lost_at - d.created_at) as seconds
    from deals d
    left join last_stages s on s.deal_id = d.id and s.place = 1
    where d.organization_id = :organization_id
      and to_char(d.lost_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
      and to_char(d.lost_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
),
main_reason as (
    select reason, count(*) as deals
    from lost_deals
    group by reason
    having count(*) > all (
        select count(*)
        from lost_deals others
        where others.reason <> lost_deals.reason
        group by others.reason
    )
),
figures as (
    select
        false as is_total,
        reason,
        stage,
        position,
        count(distinct id) as deals,
        sum(amount_kopecks) as amount,
        percentile_cont(0.5) within group (order by seconds)::numeric as median_seconds,
        (select sum(others.amount_kopecks) from lost_deals others where others.reason = lost_deals.reason) as reason_amount,
        null as main_reason,
        0 as main_deals
    from lost_deals
    group by reason, stage, position
    union all
    select
        true,
        null,
        null,
        null,
        count(distinct id),
        coalesce(sum(amount_kopecks), 0),
        percentile_cont(0.5) within group (order by seconds)::numeric,
        null,
        nullif((select reason from main_reason), 'Не указана'),
        coalesce((select deals from main_reason), 0)
    from lost_deals
)
select
    is_total,
    reason,
    stage,
    deals,
    amount,
    round(100.00000000000000000000 * amount / nullif((select sum(amount_kopecks) from lost_deals), 0), 1) as share,
    round(median_seconds / 86400, 1) as median_days,
    main_reason,
    main_deals
from figures
order by is_total desc, reason_amount desc, figures.reason collate "C", amount desc, position
