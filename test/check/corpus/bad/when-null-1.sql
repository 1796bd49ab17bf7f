-- of: good/sales-1.sql
-         sum(sales.cost) as cost
+         sum(sales.cost) as cost , max(case sales.kind when null then 'нет' end) as kind -- expect: null-comparison
