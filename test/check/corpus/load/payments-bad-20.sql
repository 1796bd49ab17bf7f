-- of: good/payments-1.sql
-     where operations.organization_id = :organization_id
+     where operations.organization_id = $1
-- 24: load: parameter $1, expected a placeholder by name
