-- of: good/new-deals-1.sql
-     on employees.organization_id = :organization_id
+     on employees.organization_id = deals.organization_id
-- the organization of the table that it is joined to
