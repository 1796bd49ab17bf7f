-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.sold_at <@ tstzrange(:period_start_at, :period_end_at, '[]') -- expect: series-end
