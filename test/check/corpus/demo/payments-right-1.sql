-- of: good/payments-1.sql
-     where operations.organization_id = :organization_id
+     where true
-     on counterparties.organization_id = :organization_id
+     on true
-- no condition on the organization, which compiling adds
