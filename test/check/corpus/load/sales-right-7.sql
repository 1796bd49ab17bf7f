-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.kind not in ('return', 'gift')
