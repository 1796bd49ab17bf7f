-- of: good/payments-1.sql
-         coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'income'), 0) as income,
+         coalesce(sum(operations.amount_kopecks::double precision) filter (where operations.kind = 'income'), 0) as income,
-- 21: load: a cast to double precision loses kopecks
