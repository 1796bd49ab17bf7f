-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and to_char(sales.day, 'YYYY') = '2026' -- expect: literal-period
