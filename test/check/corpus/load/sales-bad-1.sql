-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and pg_sleep(1) is not null
-- 19: load: pg_sleep() is for administration, expected a plain read of the data
