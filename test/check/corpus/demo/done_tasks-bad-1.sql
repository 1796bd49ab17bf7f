-- of: good/done-tasks-1.sql
-     and employees.id = tasks.assignee_id
+     and employees.ident = tasks.assignee_id
-- a misspelt column, with totals in the statement
-- 26: prepare: column employees.ident does not exist
