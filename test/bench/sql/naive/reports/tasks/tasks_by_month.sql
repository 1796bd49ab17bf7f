-- All tasks of the organization with their days as text, and for each month and the whole a subquery for each figure.
with with_days as (
    select
        t.id,
        t.due_on,
        to_char(t.created_at at time zone :time_zone, 'YYYY-MM-DD') as created_on,
        to_char(t.completed_at at time zone :time_zone, 'YYYY-MM-DD') as completed_on,
        to_char(t.cancelled_at at time zone :time_zone, 'YYYY-MM-DD') as cancelled_on,
        coalesce(to_char(coalesce(t.completed_at, t.cancelled_at) at time zone :time_zone, 'YYYY-MM-DD'), '9999-12-31')
            as ended_on
    from tasks t
    left join employees e on e.organization_id = t.organization_id and e.id = t.assignee_id
    where t.organization_id = :organization_id
),
in_period as (
    select max(created_on)::date as last_day
    from with_days
    where created_on >= to_char(:period_start, 'YYYY-MM-DD')
      and created_on < to_char(:period_end, 'YYYY-MM-DD')
),
months as (
    select generate_series(
        date_trunc('month', greatest(:period_start, (select min(created_on) from with_days)::date)::timestamp),
        date_trunc('month', greatest(:as_of, in_period.last_day)::timestamp),
        interval '1 month'
    )::date as month
    from in_period
    where exists (select 1 from with_days)
      and (:as_of >= :period_start or in_period.last_day is not null)
),
spans as (
    select
        false as is_total,
        month,
        to_char(greatest(month, :period_start), 'YYYY-MM-DD') as first_day,
        to_char(least((month + interval '1 month')::date, :period_end), 'YYYY-MM-DD') as day_after,
        least((month + interval '1 month')::date - 1, :as_of) as as_of
    from months
    union all
    select true, null, to_char(:period_start, 'YYYY-MM-DD'), to_char(:period_end, 'YYYY-MM-DD'), :as_of
),
figures as (
    select
        s.is_total,
        s.month,
        (select count(*) from with_days t where t.created_on < s.first_day and t.ended_on >= s.first_day) as at_start,
        (select count(*) from with_days t where t.created_on >= s.first_day and t.created_on < s.day_after) as created,
        (select count(*) from with_days t where t.completed_on >= s.first_day and t.completed_on < s.day_after) as done,
        (select count(*) from with_days t where t.cancelled_on >= s.first_day and t.cancelled_on < s.day_after) as cancelled,
        (select count(*) from with_days t where t.created_on < s.day_after and t.ended_on >= s.day_after) as open,
        (
            select count(*)
            from with_days t
            where t.created_on < s.day_after
              and t.ended_on >= s.day_after
              and t.due_on < s.as_of
        ) as overdue,
        (
            select count(t.due_on)
            from with_days t
            where t.completed_on >= s.first_day
              and t.completed_on < s.day_after
        ) as done_with_due,
        (
            select count(*)
            from with_days t
            where t.completed_on >= s.first_day
              and t.completed_on < s.day_after
              and t.completed_on <= to_char(t.due_on, 'YYYY-MM-DD')
        ) as done_on_time
    from spans s
)
select
    is_total,
    (array[
        'Январь', 'Февраль', 'Март', 'Апрель', 'Май', 'Июнь',
        'Июль', 'Август', 'Сентябрь', 'Октябрь', 'Ноябрь', 'Декабрь'
    ])[extract(month from month)::integer] || ' ' || extract(year from month) as month_name,
    to_char(month, 'YYYY-MM') as month,
    at_start,
    created,
    done,
    cancelled,
    open,
    overdue,
    done_with_due,
    done_on_time,
    round(100.0 * done_on_time / nullif(done_with_due, 0), 1) as on_time
from figures
order by is_total desc, figures.month
