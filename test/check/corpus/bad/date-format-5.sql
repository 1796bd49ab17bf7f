-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , max(to_char(sales.hour, 'HH:MI')) as hour -- expect: date-format
