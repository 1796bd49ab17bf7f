-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.id not in (select x.id from sold_out as x where x.organization_id = :organization_id and x.id is not null)
