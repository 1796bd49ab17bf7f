-- of: good/new-deals-1.sql
-     on employees.organization_id = :organization_id
+     on true
- where deals.organization_id = :organization_id
+ where deals.organization_id = :organization_id and employees.organization_id = :organization_id -- expect: undone-left-join
