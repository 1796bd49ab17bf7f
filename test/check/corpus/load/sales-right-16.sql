-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , count(*) filter (where sales.cost > 0)::numeric / count(*) as paid
