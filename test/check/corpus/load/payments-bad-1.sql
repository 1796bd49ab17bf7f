-- of: good/payments-1.sql
-         coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'expense'), 0) as expenses
+         coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'expense'), 0 as expenses
-- a bracket is not closed
-- 22: load: syntax error at or near "as" (column 95), expected what PostgreSQL 18
