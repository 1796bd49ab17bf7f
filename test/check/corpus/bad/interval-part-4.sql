-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , max(extract(hour from sales.sold_at - sales.made_at)) as hours -- expect: interval-part
