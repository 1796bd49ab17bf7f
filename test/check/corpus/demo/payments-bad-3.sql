-- of: good/payments-1.sql
-     round(100.0 * paid.income / nullif(paid.income + paid.expenses, 0), 1) as share,
+     (100 * paid.income / nullif(paid.income + paid.expenses, 0))::bigint as share,
-- 8: columns: column "share" is an integer, expected numeric
