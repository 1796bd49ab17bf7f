-- of: good/new-deals-1.sql
-     employees.full_name as manager,
+     (select count(*) from tasks where tasks.assignee_id = deals.manager_id)::text as manager,
