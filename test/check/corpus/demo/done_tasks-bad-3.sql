-- of: good/done-tasks-1.sql
- group by grouping sets ((tasks.assignee_id, employees.full_name), ())
+ group by grouping sets ((tasks.assignee_id, employees.full_name), (), ())
-- two totals rows
-- 15: one-row: found 2 totals rows
