-- of: good/done-tasks-1.sql
- group by grouping sets ((tasks.assignee_id, employees.full_name), ())
+ group by grouping sets ((tasks.assignee_id, employees.full_name))
-- no totals row
-- 15: one-row: found no totals row
