/*---
title: Задачи по исполнителям
description: Кто сколько сделал, что просрочил и что у него в работе. Задачи учтены по датам создания, выполнения и отмены.
dateBasis: event
keywords: [поручения, сотрудники, исполнители, просрочка, просроченные, дела, задержки, overdue tasks, delays, staff, employees, assignees, tasks_open, tasks_overdue, tasks_on_time]
position: 1
columns:
  assignee:      { title: Исполнитель, type: text }
  at_start:      { title: На начало, type: integer, total: sum(at_start), aggregation: { rows: sum, periods: first } }
  created:       { title: Создано, type: integer, total: sum(created), aggregation: { rows: sum, periods: sum } }
  done:          { title: Выполнено, type: integer, total: sum(done), aggregation: { rows: sum, periods: sum } }
  cancelled:     { title: Отменено, type: integer, total: sum(cancelled), aggregation: { rows: sum, periods: sum } }
  open:          { title: Открыто на конец, type: integer, total: sum(open), aggregation: { rows: sum, periods: last } }
  overdue:       { title: Просрочено, type: integer, total: sum(overdue), aggregation: { rows: sum, periods: last } }
  done_with_due: { title: Выполнено со сроком, type: integer, total: sum(done_with_due), aggregation: { rows: sum, periods: sum } }
  done_on_time:  { title: В срок, type: integer, total: sum(done_on_time), aggregation: { rows: sum, periods: sum } }
  on_time:       { title: Доля в срок, type: percent, total: "round(100.0 * sum(done_on_time) / nullif(sum(done_with_due), 0), 1)" }
  assignee_id:   { title: Номер исполнителя, type: text, total: none }
key: [assignee_id]
chart: { kind: bars, measures: [done, open, overdue], label: assignee }
facts:
  assignees: { type: integer, total: count(*) filter (where done > 0 and assignee_id <> '0') }
summary: >-
  За {period}
  {done, plural,
  one {выполнена # задача} few {выполнены # задачи} many {выполнено # задач} other {выполнено # задачи}}{assignees, plural,
  =0 {} one { у # исполнителя} other { у # исполнителей}}{on_time_sign, select,
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
parameters:
  assignee:
    title: Исполнитель
    type: integer
    values: { sql: "select value, label from (select 0 as value, 'Не назначен' as label union all select id, full_name from employees) as options order by value > 0, label collate \"C\", value" }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 15 }
---*/
-- Tuned 2026-11-21, over this year: 0.2 ms and 8 buffers for the median demo organization, 3.7 ms and 57 for the
-- large one, with tasks_by_end and employees_named; without: 0.4 ms and 234, 6.6 ms and 419.
with counted as (
    select
        tasks.assignee_id,
        tasks.created_at,
        tasks.due_on,
        tasks.completed_at >= :period_start_at and tasks.completed_at < :period_end_at as is_done,
        (tasks.completed_at at time zone :time_zone)::date <= tasks.due_on as is_on_time,
        tasks.cancelled_at >= :period_start_at and tasks.cancelled_at < :period_end_at as is_cancelled,
        coalesce(tasks.completed_at, tasks.cancelled_at, 'infinity') >= :period_end_at as is_open
    from tasks
    where tasks.created_at < :period_end_at
      and (:assignee::bigint is null or coalesce(tasks.assignee_id, 0) = :assignee)
      -- why: the expression of the index tasks_by_end; completed_at and cancelled_at are never both set
      and coalesce(tasks.completed_at, tasks.cancelled_at, 'infinity') >= :period_start_at
),
by_assignee as (
    select
        counted.assignee_id,
        count(*) filter (where counted.created_at < :period_start_at) as at_start,
        count(*) filter (where counted.created_at >= :period_start_at) as created,
        count(*) filter (where counted.is_done) as done,
        count(*) filter (where counted.is_cancelled) as cancelled,
        count(*) filter (where counted.is_open) as open,
        count(*) filter (where counted.is_open and counted.due_on < :as_of) as overdue,
        count(*) filter (where counted.is_done and counted.due_on is not null) as done_with_due,
        count(*) filter (where counted.is_done and counted.is_on_time) as done_on_time
    from counted
    group by counted.assignee_id
)
select
    coalesce(employees.full_name, 'Не назначен') as assignee,
    by_assignee.at_start,
    by_assignee.created,
    by_assignee.done,
    by_assignee.cancelled,
    by_assignee.open,
    by_assignee.overdue,
    by_assignee.done_with_due,
    by_assignee.done_on_time,
    round(100.0 * by_assignee.done_on_time / nullif(by_assignee.done_with_due, 0), 1) as on_time,
    -- why: a key is never null, and ids begin with 1
    coalesce(by_assignee.assignee_id::text, '0') as assignee_id
from by_assignee
left join employees on employees.id = by_assignee.assignee_id
order by by_assignee.done desc, coalesce(employees.full_name, 'Не назначен') collate "C", by_assignee.assignee_id
