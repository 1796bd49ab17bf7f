-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and exists (select * from gifts where gifts.organization_id = :organization_id and gifts.sale_id = sales.id limit 1)
