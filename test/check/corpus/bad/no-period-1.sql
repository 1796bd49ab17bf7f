-- of: good/payments-1.sql
- with paid as (
+ with paid as ( -- expect: no-period
-       and operations.paid_on >= :period_start
-       and operations.paid_on < :period_end
+       and operations.paid_on is not null
