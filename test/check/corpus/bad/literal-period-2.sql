-- of: good/payments-1.sql
-       and operations.status = 'posted'
+       and extract(year from operations.paid_on) = 2026 -- expect: literal-period
