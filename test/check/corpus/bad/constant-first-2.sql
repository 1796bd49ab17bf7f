-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , max(coalesce('нет', sales.note)) as note -- missed: constant-first
