-- of: good/payments-1.sql
-       and operations.paid_on >= :period_start
-       and operations.paid_on < :period_end
+       and operations.paid_on >= :period_begin and operations.paid_on < :period_end
-- 25: load: unknown placeholder :period_begin, did you mean ":period_end"?
