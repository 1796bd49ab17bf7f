-- All requests of the organization with their days as text, and a subquery for each figure.
with with_days as (
    select
        to_char(r.received_at at time zone :time_zone, 'YYYY-MM-DD') as received_on,
        coalesce(to_char(r.closed_at at time zone :time_zone, 'YYYY-MM-DD'), '9999-12-31') as closed_on,
        extract(epoch from r.first_answer_at - r.received_at) as answer_seconds,
        r.first_answer_at is not null or r.promised_at < :now as is_due,
        r.first_answer_at <= r.promised_at as is_in_time
    from requests r
    left join request_channels ch on ch.organization_id = r.organization_id and ch.id = r.channel_id
    where r.organization_id = :organization_id
),
received as (
    select *
    from with_days
    where received_on >= to_char(:period_start, 'YYYY-MM-DD')
      and received_on < to_char(:period_end, 'YYYY-MM-DD')
)
select
    (
        select count(*)
        from with_days
        where received_on < to_char(:period_end, 'YYYY-MM-DD')
          and closed_on >= to_char(:period_end, 'YYYY-MM-DD')
    ) as requests_open,
    (select count(*) from received) as requests_received,
    round((select percentile_cont(0.5) within group (order by answer_seconds) from received)::numeric / 3600, 1)
        as requests_first_answer_hours,
    round(
        100.0 * (select count(*) from received where is_in_time) / nullif((select count(*) from received where is_due), 0),
        1
    ) as requests_within_promise
