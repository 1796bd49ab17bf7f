-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.sold_at < :as_of + 1 -- expect: date-and-instant
