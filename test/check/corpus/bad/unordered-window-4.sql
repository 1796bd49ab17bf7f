-- of: good/new-deals-1.sql
-     employees.full_name as manager,
+     (select string_agg(tasks.title, ', ') from tasks where tasks.organization_id = :organization_id and tasks.assignee_id = employees.id) as manager, -- expect: unordered-pick
