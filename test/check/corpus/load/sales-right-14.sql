-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and date_bin('15 minutes', sales.sold_at, '2000-01-01') < :now
