-- of: good/payments-1.sql
-         coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'income'), 0) as income,
+         coalesce(sum(distinct operations.amount_kopecks) filter (where operations.kind = 'income'), 0) as income, -- expect: distinct-sum
