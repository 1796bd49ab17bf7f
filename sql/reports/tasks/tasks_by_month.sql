/*---
title: Задачи по месяцам
description: Сколько задач ставят и выполняют в каждом месяце, сколько в срок. Задачи учтены по датам создания, выполнения и отмены.
dateBasis: event
keywords: [поручения, просрочка, просроченные, дела, динамика, задержки, overdue tasks, delays]
position: 2
columns:
  month_name:    { title: Период, type: text, link: "/reports/tasks_by_assignee?from={month.from}&to={month.to}" }
  month:         { title: Месяц, type: month }
  at_start:      { title: На начало, type: integer, aggregation: { periods: first } }
  created:       { title: Создано, type: integer, aggregation: { rows: sum, periods: sum } }
  done:          { title: Выполнено, type: integer, aggregation: { rows: sum, periods: sum } }
  cancelled:     { title: Отменено, type: integer, aggregation: { rows: sum, periods: sum } }
  open:          { title: Открыто на конец, type: integer, aggregation: { periods: last } }
  overdue:       { title: Просрочено, type: integer, aggregation: { periods: last } }
  done_with_due: { title: Выполнено со сроком, type: integer, aggregation: { rows: sum, periods: sum } }
  done_on_time:  { title: В срок, type: integer, aggregation: { rows: sum, periods: sum } }
  on_time:       { title: Доля в срок, type: percent }
key: [month]
chart: { kind: columns, measures: [created, done], label: month }
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
emptySummary: За {period} новых и законченных задач не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 15 }
---*/
-- Tuned 2026-11-21, over this year: 0.4 ms and 8 buffers for the median demo organization, 20 ms and 55 for the
-- large one, with tasks_by_end; without: 0.6 ms and 232, 25 ms and 417.
-- Tasks that were open at some time in the period; each month is counted as a separate period.
with counted as (
    select
        tasks.created_at,
        coalesce(tasks.completed_at, tasks.cancelled_at, 'infinity') as ended_at,
        tasks.completed_at is not null as is_done,
        tasks.due_on,
        (tasks.completed_at at time zone :time_zone)::date <= tasks.due_on as is_on_time
    from tasks
    where tasks.created_at < :period_end_at
      -- why: the expression of the index tasks_by_end; completed_at and cancelled_at are never both set
      and coalesce(tasks.completed_at, tasks.cancelled_at, 'infinity') >= :period_start_at
),
first_task as (
    select (min(tasks.created_at) at time zone :time_zone)::date as created_on
    from tasks
),
last_task as (
    select (max(counted.created_at) at time zone :time_zone)::date as created_on
    from counted
    where counted.created_at >= :period_start_at
),
-- From the month of the first task to that of as_of, or of the last task if that is later. A future period without
-- tasks has no months, even if it begins in the current month.
months as (
    select generate_series(
        date_trunc('month', greatest(:period_start, first_task.created_on)::timestamp),
        date_trunc('month', greatest(:as_of, last_task.created_on)::timestamp),
        interval '1 month'
    ) as month
    from first_task
    cross join last_task
    where first_task.created_on is not null
      and (:as_of >= :period_start or last_task.created_on is not null)
),
-- why: of a midnight that comes twice, a month begins at the first: 24 hours after the midnight before
beginnings as (
    select
        starts.month,
        case
            when next_day.at at time zone :time_zone = starts.month then next_day.at
            else starts.month at time zone :time_zone
        end as starts_at
    from (
        select months.month from months
        union
        select months.month + interval '1 month' from months
    ) as starts (month)
    cross join lateral (
        select (starts.month - interval '1 day') at time zone :time_zone + interval '24 hours' as at
    ) as next_day
),
-- The whole period is counted like a month, so that it has balances even without months.
spans as (
    select
        true as is_total,
        null::timestamp as month,
        :period_start_at as starts_at,
        :period_end_at as ends_at,
        :as_of as as_of
    union all
    select
        false,
        months.month,
        greatest(beginnings.starts_at, :period_start_at),
        least(endings.starts_at, :period_end_at),
        least((months.month + interval '1 month')::date - 1, :as_of)
    from months
    join beginnings on beginnings.month = months.month
    join beginnings as endings on endings.month = months.month + interval '1 month'
),
figures as (
    select
        spans.is_total,
        spans.month,
        count(*) filter (where counted.created_at < spans.starts_at) as at_start,
        count(*) filter (where counted.created_at >= spans.starts_at) as created,
        count(*) filter (where counted.ended_at < spans.ends_at and counted.is_done) as done,
        count(*) filter (where counted.ended_at < spans.ends_at and not counted.is_done) as cancelled,
        count(*) filter (where counted.ended_at >= spans.ends_at) as open,
        count(*) filter (where counted.ended_at >= spans.ends_at and counted.due_on < spans.as_of) as overdue,
        count(counted.due_on) filter (where counted.ended_at < spans.ends_at and counted.is_done) as done_with_due,
        count(*) filter (where counted.ended_at < spans.ends_at and counted.is_on_time) as done_on_time
    from spans
    left join counted
        on counted.created_at < spans.ends_at
        and counted.ended_at >= spans.starts_at
    group by spans.is_total, spans.month
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
