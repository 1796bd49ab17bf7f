-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.day <@ daterange(:period_start, :period_end, '[]') -- expect: series-end
