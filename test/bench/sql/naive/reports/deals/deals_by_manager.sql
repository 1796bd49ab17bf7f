-- All deals of the organization with their managers; days are compared as text, deals are counted as distinct.
with figures as (
    select
        x.id,
        coalesce(x.full_name, 'Не назначен') as manager,
        count(distinct d.id) filter (
            where to_char(d.created_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and to_char(d.created_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
        ) as created,
        count(distinct d.id) filter (
            where to_char(d.won_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and to_char(d.won_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
        ) as won,
        count(distinct d.id) filter (
            where to_char(d.lost_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and to_char(d.lost_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
        ) as lost,
        count(distinct d.id) filter (
            where to_char(d.created_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
              and coalesce(to_char(coalesce(d.won_at, d.lost_at) at time zone :time_zone, 'YYYY-MM-DD'), '9999-12-31')
                  >= to_char(:period_end, 'YYYY-MM-DD')
        ) as open,
        coalesce(sum(d.amount_kopecks) filter (
            where to_char(d.won_at at time zone :time_zone, 'YYYY-MM-DD') >= to_char(:period_start, 'YYYY-MM-DD')
              and to_char(d.won_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
        ), 0) as won_amount,
        coalesce(sum(d.amount_kopecks) filter (
            where to_char(d.created_at at time zone :time_zone, 'YYYY-MM-DD') < to_char(:period_end, 'YYYY-MM-DD')
              and coalesce(to_char(coalesce(d.won_at, d.lost_at) at time zone :time_zone, 'YYYY-MM-DD'), '9999-12-31')
                  >= to_char(:period_end, 'YYYY-MM-DD')
        ), 0) as open_amount
    from deals d
    left join employees x on x.organization_id = d.organization_id and x.id = d.manager_id
    where d.organization_id = :organization_id
    group by x.id, x.full_name
)
select
    manager,
    created,
    won,
    lost,
    open,
    won_amount,
    open_amount,
    round(1.00000000000000000000 * won_amount / nullif(won, 0)) as average_deal,
    round(100.0 * won / nullif(won + lost, 0), 1) as win_rate
from figures
where created <> 0
   or won <> 0
   or lost <> 0
   or open <> 0
order by won_amount desc, manager collate "C", id
