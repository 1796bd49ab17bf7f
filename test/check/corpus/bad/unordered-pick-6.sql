-- of: good/new-deals-1.sql
-     employees.full_name as manager,
+     (select tasks.title from tasks where tasks.organization_id = :organization_id and tasks.assignee_id = employees.id limit 1) as manager, -- expect: unordered-pick
