-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.id = (select max(x.id) from sales as x where x.organization_id = :organization_id)
