-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.day < :period_end + 1 -- expect: moved-end
