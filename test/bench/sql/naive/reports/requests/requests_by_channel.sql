-- All requests of the organization with their channels and days as text, grouped once for the rows and once for the total.
with with_days as (
    select
        r.id,
        x.id as channel_id,
        coalesce(x.name, 'Не указан') as channel,
        to_char(r.received_at at time zone :time_zone, 'YYYY-MM-DD') as received_on,
        coalesce(to_char(r.closed_at at time zone :time_zone, 'YYYY-MM-DD'), '9999-12-31') as closed_on,
        extract(epoch from r.first_answer_at - r.received_at) as answer_seconds,
        r.first_answer_at is not null or r.promised_at < :now as is_due,
        r.first_answer_at <= r.promised_at as is_in_time
    from requests r
    left join request_channels x on x.organization_id = r.organization_id and x.id = r.channel_id
    left join counterparties cp on cp.organization_id = r.organization_id and cp.id = r.counterparty_id
    where r.organization_id = :organization_id
),
asked as (
    select
        with_days.*,
        received_on >= to_char(:period_start, 'YYYY-MM-DD') as is_received
    from with_days
    where received_on < to_char(:period_end, 'YYYY-MM-DD')
      and closed_on >= to_char(:period_start, 'YYYY-MM-DD')
),
figures as (
    select
        false as is_total,
        channel_id,
        channel,
        count(distinct id) filter (where not is_received) as at_start,
        count(distinct id) filter (where is_received) as received,
        count(distinct id) filter (where closed_on < to_char(:period_end, 'YYYY-MM-DD')) as closed,
        count(distinct id) filter (where closed_on >= to_char(:period_end, 'YYYY-MM-DD')) as open,
        count(distinct id) filter (where is_received and answer_seconds is not null) as answered,
        percentile_cont(0.5) within group (order by answer_seconds) filter (where is_received)::numeric as median_seconds,
        percentile_disc(0.9) within group (order by answer_seconds) filter (where is_received) as p90_seconds,
        count(distinct id) filter (where is_received and is_due) as due,
        count(distinct id) filter (where is_received and is_in_time) as in_time
    from asked
    group by channel_id, channel
    union all
    select
        true,
        null,
        null,
        count(distinct id) filter (where not is_received),
        count(distinct id) filter (where is_received),
        count(distinct id) filter (where closed_on < to_char(:period_end, 'YYYY-MM-DD')),
        count(distinct id) filter (where closed_on >= to_char(:period_end, 'YYYY-MM-DD')),
        count(distinct id) filter (where is_received and answer_seconds is not null),
        percentile_cont(0.5) within group (order by answer_seconds) filter (where is_received)::numeric,
        percentile_disc(0.9) within group (order by answer_seconds) filter (where is_received),
        count(distinct id) filter (where is_received and is_due),
        count(distinct id) filter (where is_received and is_in_time)
    from asked
)
select
    is_total,
    channel,
    at_start,
    received,
    closed,
    open,
    answered,
    round(median_seconds / 3600, 1) as first_answer_median,
    round(p90_seconds / 3600, 1) as first_answer_p90,
    due,
    in_time,
    round(100.0 * in_time / nullif(due, 0), 1) as within_promise
from figures
order by is_total desc, received desc, channel collate "C", channel_id
