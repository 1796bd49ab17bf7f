-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , lag(max(sales.cost)) over (partition by sales.shop_id) as before -- expect: unordered-pick
