-- of: good/payments-1.sql
-     on counterparties.organization_id = :organization_id
+     on counterparties.organization_id = :organisation_id
-- 40: load: unknown placeholder :organisation_id, did you mean ":organization_id"?
