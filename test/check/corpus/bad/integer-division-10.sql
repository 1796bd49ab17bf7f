-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , sum(sales.cost)::bigint / count(*) as mean -- expect: integer-division
