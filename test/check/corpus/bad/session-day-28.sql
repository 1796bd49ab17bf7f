-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and date_bin('1 day', sales.sold_at, '2000-01-01') < :now -- missed: session-day
