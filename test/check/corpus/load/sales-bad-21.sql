-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and :shop = 1
-- 19: load: unknown placeholder :shop, expected one of :organization_id, :period_start, :period_end, :period_start_at, :period_end_at, :today, :as_of, :now, :time_zone
