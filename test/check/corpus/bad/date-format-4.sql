-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , max(to_char(sales.day, 'DD.MI.YYYY')) as day -- expect: date-format
