-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.sold_at >= :period_start_at and sales.sold_at <= :period_end_at - interval '1 second' -- expect: moved-end
