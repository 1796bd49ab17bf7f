/*---
title: Задачи по месяцам
columns:
  month_name:    { title: Период, type: text }
  month:         { title: Месяц, type: month }
  at_start:      { title: На начало, type: integer }
  created:       { title: Создано, type: integer }
  done:          { title: Выполнено, type: integer }
  cancelled:     { title: Отменено, type: integer }
  open:          { title: Открыто на конец, type: integer }
  overdue:       { title: Просрочено, type: integer }
  done_with_due: { title: Выполнено со сроком, type: integer }
  done_on_time:  { title: В срок, type: integer }
  on_time:       { title: Доля в срок, type: percent }
key: [month]
summary: >-
  За {period}
  {created, plural,
  one {создана # задача} few {созданы # задачи} many {создано # задач} other {создано # задачи}},
  {done, plural,
  one {выполнена # задача} few {выполнены # задачи} many {выполнено # задач} other {выполнено # задачи}}{on_time_sign, select,
  none {} other {, в срок — {on_time}}},
  {open, plural,
  =0 {открытых задач не осталось}
  one {открыта # задача} few {открыты # задачи} many {открыто # задач} other {открыто # задачи}}{overdue, plural,
  =0 {}
  one {, в том числе просрочена #}
  few {, в том числе просрочены #}
  many {, в том числе просрочено #}
  other {, в том числе просрочено #}}.
emptySummary: За {period} задач не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 20000
---*/
-- Tuned 2026-11-21, over this year: 0.5 ms and 8 buffers for the median demo organization, 12 ms and 55 for the
-- large one, with tasks_by_end; without: 0.9 ms and 232, 16 ms and 417.
-- Tasks that were open at some time of the period, by local days.
with counted as (
    select
        (tasks.created_at at time zone :time_zone)::date as created_on,
        (coalesce(tasks.completed_at, tasks.cancelled_at) at time zone :time_zone)::date as ended_on,
        tasks.completed_at is not null as is_done,
        tasks.due_on
    from tasks
    where tasks.organization_id = :organization_id
      and tasks.created_at < :period_end_at
      -- why: the words of the index tasks_by_end; a task ends once
      and coalesce(tasks.completed_at, tasks.cancelled_at, 'infinity') >= :period_start_at
),
totals as (
    select
        count(*) filter (where counted.created_on < :period_start) as at_start,
        count(*) filter (where counted.created_on >= :period_start) as created,
        count(*) filter (where counted.ended_on < :period_end and counted.is_done) as done,
        count(*) filter (where counted.ended_on < :period_end and not counted.is_done) as cancelled,
        count(*) filter (where coalesce(counted.ended_on, 'infinity') >= :period_end) as open,
        count(*) filter (
            where coalesce(counted.ended_on, 'infinity') >= :period_end
              and counted.due_on < :as_of
        ) as overdue,
        count(*) filter (
            where counted.ended_on < :period_end
              and counted.is_done
              and counted.due_on is not null
        ) as done_with_due,
        count(*) filter (
            where counted.ended_on < :period_end
              and counted.is_done
              and counted.ended_on <= counted.due_on
        ) as done_on_time
    from counted
),
created_by_month as (
    select
        -- why: a timestamp, since date_trunc of a date goes through timestamptz and takes 20-30 % longer
        date_trunc('month', counted.created_on::timestamp) as month,
        count(*) as created
    from counted
    where counted.created_on >= :period_start
    group by 1
),
ended_by_month as (
    select
        date_trunc('month', counted.ended_on::timestamp) as month,
        count(*) filter (where counted.is_done) as done,
        count(*) filter (where not counted.is_done) as cancelled,
        count(*) filter (where counted.is_done and counted.due_on is not null) as done_with_due,
        count(*) filter (where counted.is_done and counted.ended_on <= counted.due_on) as done_on_time
    from counted
    where counted.ended_on < :period_end
    group by 1
),
-- A task is overdue from the day after the one on which it is due (from its creation, if that was later) until the
-- day on which it ends.
overdue as (
    select
        greatest(counted.due_on + 1, counted.created_on) as began_on,
        counted.ended_on
    from counted
    where counted.due_on < :as_of
      and greatest(counted.due_on + 1, counted.created_on) < coalesce(counted.ended_on, 'infinity')
),
-- How many more are overdue at the end of a month than at the end of the one before; what was overdue before the
-- period comes with its first month.
overdue_by_month as (
    select
        date_trunc('month', changes.day::timestamp) as month,
        sum(changes.overdue) as overdue
    from overdue
    cross join lateral (
        values (greatest(overdue.began_on, :period_start), 1), (overdue.ended_on, -1)
    ) as changes (day, overdue)
    where changes.day < :period_end
    group by 1
),
first_task as (
    select (min(tasks.created_at) at time zone :time_zone)::date as created_on
    from tasks
    where tasks.organization_id = :organization_id
),
-- From the first task to the last day that counts. A period that has not begun has no months, even where it
-- begins in the current one.
months as (
    select generate_series(
        date_trunc('month', greatest(:period_start, first_task.created_on)::timestamp),
        date_trunc('month', :as_of::timestamp),
        interval '1 month'
    ) as month
    from first_task
    where first_task.created_on is not null
      and :as_of >= :period_start
),
flows as (
    select
        months.month,
        coalesce(created_by_month.created, 0) as created,
        coalesce(ended_by_month.done, 0) as done,
        coalesce(ended_by_month.cancelled, 0) as cancelled,
        coalesce(ended_by_month.done_with_due, 0) as done_with_due,
        coalesce(ended_by_month.done_on_time, 0) as done_on_time,
        coalesce(overdue_by_month.overdue, 0) as more_overdue
    from months
    left join created_by_month on created_by_month.month = months.month
    left join ended_by_month on ended_by_month.month = months.month
    left join overdue_by_month on overdue_by_month.month = months.month
),
balances as (
    select
        flows.month,
        flows.created,
        flows.done,
        flows.cancelled,
        flows.done_with_due,
        flows.done_on_time,
        totals.at_start + sum(flows.created - flows.done - flows.cancelled) over so_far as open,
        sum(flows.more_overdue) over so_far as overdue
    from flows
    cross join totals
    window so_far as (order by flows.month)
),
figures as (
    select
        true as is_total,
        null::timestamp as month,
        totals.at_start,
        totals.created,
        totals.done,
        totals.cancelled,
        totals.open,
        totals.overdue,
        totals.done_with_due,
        totals.done_on_time
    from totals
    union all
    select
        false,
        balances.month,
        balances.open - balances.created + balances.done + balances.cancelled,
        balances.created,
        balances.done,
        balances.cancelled,
        balances.open,
        balances.overdue,
        balances.done_with_due,
        balances.done_on_time
    from balances
)
select
    figures.is_total,
    (array[
        'Январь', 'Февраль', 'Март', 'Апрель', 'Май', 'Июнь',
        'Июль', 'Август', 'Сентябрь', 'Октябрь', 'Ноябрь', 'Декабрь'
    ])[extract(month from figures.month)::integer] || ' ' || extract(year from figures.month) as month_name,
    to_char(figures.month, 'YYYY-MM') as month,
    figures.at_start,
    figures.created,
    figures.done,
    figures.cancelled,
    figures.open,
    figures.overdue,
    figures.done_with_due,
    figures.done_on_time,
    round(100.0 * figures.done_on_time / nullif(figures.done_with_due, 0), 1) as on_time
from figures
order by figures.is_total desc, figures.month
