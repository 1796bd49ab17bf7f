-- of: good/payments-1.sql
-       and operations.paid_on >= :period_start
-       and operations.paid_on < :period_end
+       and operations.paid_on >= :period_end and operations.paid_on < :period_start -- missed: inclusive-end
