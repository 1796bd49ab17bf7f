-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , array_agg(sales.note) as notes, sum(distinct sales.cost) as costs -- expect: distinct-sum
