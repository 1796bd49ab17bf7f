-- All tasks of the organization with their assignees; days are compared as text, tasks are counted as distinct.
with with_days as (
    select
        t.id,
        e.id as assignee_id,
        coalesce(e.full_name, 'Не назначен') as assignee,
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
figures as (
    select
        assignee_id,
        assignee,
        count(distinct id) filter (
            where created_on < to_char(:period_start, 'YYYY-MM-DD') and ended_on >= to_char(:period_start, 'YYYY-MM-DD')
        ) as at_start,
        count(distinct id) filter (
            where created_on >= to_char(:period_start, 'YYYY-MM-DD') and created_on < to_char(:period_end, 'YYYY-MM-DD')
        ) as created,
        count(distinct id) filter (
            where completed_on >= to_char(:period_start, 'YYYY-MM-DD') and completed_on < to_char(:period_end, 'YYYY-MM-DD')
        ) as done,
        count(distinct id) filter (
            where cancelled_on >= to_char(:period_start, 'YYYY-MM-DD') and cancelled_on < to_char(:period_end, 'YYYY-MM-DD')
        ) as cancelled,
        count(distinct id) filter (
            where created_on < to_char(:period_end, 'YYYY-MM-DD') and ended_on >= to_char(:period_end, 'YYYY-MM-DD')
        ) as open,
        count(distinct id) filter (
            where created_on < to_char(:period_end, 'YYYY-MM-DD')
              and ended_on >= to_char(:period_end, 'YYYY-MM-DD')
              and due_on < :as_of
        ) as overdue,
        count(distinct id) filter (
            where completed_on >= to_char(:period_start, 'YYYY-MM-DD')
              and completed_on < to_char(:period_end, 'YYYY-MM-DD')
              and due_on is not null
        ) as done_with_due,
        count(distinct id) filter (
            where completed_on >= to_char(:period_start, 'YYYY-MM-DD')
              and completed_on < to_char(:period_end, 'YYYY-MM-DD')
              and completed_on <= to_char(due_on, 'YYYY-MM-DD')
        ) as done_on_time
    from with_days
    group by assignee_id, assignee
)
select
    assignee,
    at_start,
    created,
    done,
    cancelled,
    open,
    overdue,
    done_with_due,
    done_on_time,
    round(100.0 * done_on_time / nullif(done_with_due, 0), 1) as on_time,
    assignee_id::text as assignee_id
from figures
where at_start <> 0
   or created <> 0
   or done <> 0
   or cancelled <> 0
   or open <> 0
order by done desc, assignee collate "C", figures.assignee_id
