-- All tasks of the organization with their days as text, and a subquery for each figure.
with with_days as (
    select
        t.due_on,
        to_char(t.created_at at time zone :time_zone, 'YYYY-MM-DD') as created_on,
        to_char(t.completed_at at time zone :time_zone, 'YYYY-MM-DD') as completed_on,
        coalesce(to_char(coalesce(t.completed_at, t.cancelled_at) at time zone :time_zone, 'YYYY-MM-DD'), '9999-12-31')
            as ended_on
    from tasks t
    left join employees e on e.organization_id = t.organization_id and e.id = t.assignee_id
    where t.organization_id = :organization_id
),
open_tasks as (
    select *
    from with_days
    where created_on < to_char(:period_end, 'YYYY-MM-DD')
      and ended_on >= to_char(:period_end, 'YYYY-MM-DD')
),
done_tasks as (
    select *
    from with_days
    where completed_on >= to_char(:period_start, 'YYYY-MM-DD')
      and completed_on < to_char(:period_end, 'YYYY-MM-DD')
      and due_on is not null
)
select
    (select count(*) from open_tasks) as tasks_open,
    (select count(*) from open_tasks where due_on < :as_of) as tasks_overdue,
    round(
        100.0 * (select count(*) from done_tasks where completed_on <= to_char(due_on, 'YYYY-MM-DD'))
            / nullif((select count(*) from done_tasks), 0),
        1
    ) as tasks_on_time
