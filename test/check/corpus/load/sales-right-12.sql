-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and (sales.day, sales.day + 1) overlaps (:period_start, :period_end)
