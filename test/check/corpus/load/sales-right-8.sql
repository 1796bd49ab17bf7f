-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.kind = any (array(select kinds.id from kinds where kinds.organization_id = :organization_id))
