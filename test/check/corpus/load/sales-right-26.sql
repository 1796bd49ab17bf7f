-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.name = E'it\'s; :x' /* ; :x /* insert into */ */ -- ; :x
-- and sales.name = E'it\'s; :x' /* ; :x /* insert into   -- ; :x
