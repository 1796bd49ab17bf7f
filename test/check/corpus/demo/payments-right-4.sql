-- of: good/payments-1.sql
-     on counterparties.organization_id = :organization_id
+     on true
