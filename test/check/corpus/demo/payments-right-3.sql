-- of: good/payments-1.sql
-     where operations.organization_id = :organization_id
+     where true
