-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.day in (select generate_series(:period_start, :period_end - 1, interval '1 month'))
