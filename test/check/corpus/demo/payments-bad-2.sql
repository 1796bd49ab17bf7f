-- of: good/payments-1.sql
-       and operations.status = 'posted'
+       and operations.status = 'post'
-- 27: impossible-value: operations.status is never 'post', expected one of planned, posted, cancelled
