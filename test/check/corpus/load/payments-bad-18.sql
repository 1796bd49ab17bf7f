-- of: good/payments-1.sql
-       and operations.status = 'posted'
+       and operations.paid_on <= current_date
-- 27: load: current_date reads the clock
