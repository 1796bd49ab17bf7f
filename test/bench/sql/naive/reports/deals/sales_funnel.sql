-- All visits ever with their stages, deals and the stages after them, in one list; for each figure a condition on it.
with visits as (
    select
        v.id,
        v.stage_id,
        to_char(v.entered_at at time zone :time_zone, 'YYYY-MM-DD') as entered_on,
        coalesce(to_char(v.left_at at time zone :time_zone, 'YYYY-MM-DD'), '9999-12-31') as left_on,
        extract(epoch from v.left_at - v.entered_at) as seconds,
        n.kind = 'won' or (n.kind = 'open' and n.position > s.position) as is_forward,
        d.amount_kopecks
    from deal_stage_visits v
    join deals d on d.organization_id = v.organization_id and d.id = v.deal_id
    join deal_stages s on s.organization_id = v.organization_id and s.id = v.stage_id
    left join deal_stages n on n.organization_id = v.organization_id and n.id = v.to_stage_id
    where v.organization_id = :organization_id
),
figures as (
    select
        s.id,
        s.name,
        s.kind,
        s.position,
        count(distinct v.id) filter (
            where s.kind = 'open'
              and v.entered_on < to_char(:period_start, 'YYYY-MM-DD')
              and v.left_on >= to_char(:period_start, 'YYYY-MM-DD')
        ) as at_start,
        count(distinct v.id) filter (
            where v.entered_on >= to_char(:period_start, 'YYYY-MM-DD')
              and v.entered_on < to_char(:period_end, 'YYYY-MM-DD')
        ) as entered,
        count(distinct v.id) filter (
            where s.kind = 'open'
              and v.left_on >= to_char(:period_start, 'YYYY-MM-DD')
              and v.left_on < to_char(:period_end, 'YYYY-MM-DD')
        ) as "left",
        count(distinct v.id) filter (
            where s.kind = 'open'
              and v.left_on >= to_char(:period_start, 'YYYY-MM-DD')
              and v.left_on < to_char(:period_end, 'YYYY-MM-DD')
              and v.is_forward
        ) as advanced,
        count(distinct v.id) filter (
            where s.kind = 'open'
              and v.entered_on < to_char(:period_end, 'YYYY-MM-DD')
              and v.left_on >= to_char(:period_end, 'YYYY-MM-DD')
        ) as at_end,
        sum(v.amount_kopecks) filter (
            where s.kind = 'open'
              and v.entered_on < to_char(:period_end, 'YYYY-MM-DD')
              and v.left_on >= to_char(:period_end, 'YYYY-MM-DD')
        ) as amount,
        percentile_cont(0.5) within group (order by v.seconds) filter (
            where s.kind = 'open'
              and v.left_on >= to_char(:period_start, 'YYYY-MM-DD')
              and v.left_on < to_char(:period_end, 'YYYY-MM-DD')
        )::numeric as median_seconds
    from deal_stages s
    left join visits v on v.stage_id = s.id
    where s.organization_id = :organization_id
    group by s.id, s.name, s.kind, s.position
)
select
    name as stage,
    case kind when 'open' then 'Рабочий' when 'won' then 'Успех' else 'Отказ' end as kind,
    at_start,
    entered,
    "left",
    advanced,
    round(100.0 * advanced / nullif("left", 0), 1) as conversion,
    at_end,
    coalesce(amount, 0) as amount,
    round(median_seconds / 86400, 1) as median_days,
    case when kind = 'won' then entered else 0 end as won,
    case when kind = 'lost' then entered else 0 end as lost
from figures
where at_start <> 0
   or entered <> 0
   or "left" <> 0
   or at_end <> 0
order by position, name collate "C", id
