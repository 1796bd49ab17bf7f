-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and timezone('UTC', sales.sold_at) > '1900-01-01' -- missed: literal-zone
