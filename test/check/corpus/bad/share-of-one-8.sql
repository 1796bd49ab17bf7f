-- of: good/payments-1.sql
-     round(100.0 * paid.income / nullif(paid.income + paid.expenses, 0), 1) as share,
+     round(1.000 * paid.income / nullif(paid.income + paid.expenses, 0), 1) as share, -- expect: share-of-one
