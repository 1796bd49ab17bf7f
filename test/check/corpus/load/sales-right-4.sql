-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and date_trunc('month', sales.sold_at, :time_zone) < :period_end_at
