-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.day < '9999-12-31' and sales.day > '1900-01-01'
