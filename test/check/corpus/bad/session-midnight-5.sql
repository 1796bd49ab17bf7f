-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.sold_at >= :period_start::timestamptz -- expect: session-midnight
