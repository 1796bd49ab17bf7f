-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , (array_agg(sales.id))[1] as sale_id -- expect: unordered-pick
