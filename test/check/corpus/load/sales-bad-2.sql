-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , max(sales.xmin) as changed
-- 15: load: xmin depends on where a row is stored
