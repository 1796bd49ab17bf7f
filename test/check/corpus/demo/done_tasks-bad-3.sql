/*---
title: Задачи по исполнителям
columns:
  assignee:    { title: Исполнитель, type: text }
  done:        { title: Выполнено, type: integer }
  median_days: { title: "Медиана, дней", type: number }
  assignee_id: { title: Номер исполнителя, type: integer }
key: [assignee_id]
facts:
  assignees: { type: integer }
summary: За {period} выполнено задач — {done}, исполнителей — {assignees}, медиана — {median_days}.
emptySummary: За {period} задач не было.
---*/
select
    grouping(tasks.assignee_id) = 1 as is_total,
    coalesce(employees.full_name, 'Не назначен') as assignee,
    count(*) as done,
    round((percentile_cont(0.5) within group (
        order by extract(epoch from tasks.completed_at - tasks.created_at)
    ) / 86400)::numeric, 1) as median_days,
    case when grouping(tasks.assignee_id) = 0 then coalesce(tasks.assignee_id, 0) end as assignee_id,
    count(distinct tasks.assignee_id) as assignees
from tasks
left join employees
    on employees.organization_id = :organization_id
    and employees.id = tasks.assignee_id
where tasks.organization_id = :organization_id
  and tasks.completed_at >= :period_start_at
  and tasks.completed_at < :period_end_at
group by grouping sets ((tasks.assignee_id, employees.full_name), (), ())
order by is_total, done desc, coalesce(employees.full_name, 'Не назначен') collate "C", tasks.assignee_id
-- two totals rows
-- 15: one-row: found 2 totals rows
