-- of: good/payments-1.sql
-       and operations.kind in ('income', 'expense')
+       and operations.kind in (
+ 'income'
+ 'expense') -- expect: missing-comma
