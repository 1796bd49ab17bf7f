-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , case when sales.end > 0 then sum(sales.amount) / sum(sales.cost) end as part
