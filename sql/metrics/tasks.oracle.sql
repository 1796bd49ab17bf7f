-- Each metric by itself, from all tasks, by local days.
with days as (
    select
        tasks.due_on,
        (tasks.created_at at time zone :time_zone)::date as created_on,
        (tasks.completed_at at time zone :time_zone)::date as completed_on,
        (least(tasks.completed_at, tasks.cancelled_at) at time zone :time_zone)::date as ended_on
    from tasks
)
select
    (select count(*) from days
        where days.created_on < :period_end and (days.ended_on is null or days.ended_on >= :period_end)) as tasks_open,
    (select count(*) from days
        where days.created_on < :period_end and (days.ended_on is null or days.ended_on >= :period_end)
          and days.due_on < :as_of) as tasks_overdue,
    (select round(avg(case when days.completed_on <= days.due_on then 100.0 else 0 end), 1) from days
        where days.completed_on between :period_start and :period_end - 1 and days.due_on is not null) as tasks_on_time
