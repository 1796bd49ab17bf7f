-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.came_at < :period_end_at and sales.left_at > :period_start_at
