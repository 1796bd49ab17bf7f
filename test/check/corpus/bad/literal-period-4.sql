-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.day >= make_date(2026, 1, 1) -- expect: literal-period
