-- of: good/payments-1.sql
-       and operations.paid_on >= :period_start
-       and operations.paid_on < :period_end
+       and operations.paid_on between :period_start and :period_end
-- 25: load: between takes in the day after the period
