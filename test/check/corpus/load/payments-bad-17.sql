-- of: good/payments-1.sql
-       and operations.status = 'posted'
+       and operations.status = 'posted
-- 28: load: syntax error at or near "income"
