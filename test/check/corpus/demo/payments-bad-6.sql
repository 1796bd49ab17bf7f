-- of: good/payments-1.sql
-       and operations.kind in ('income', 'expense')
+       and operations.kind in ('incomes', 'expense')
-- 28: impossible-value: operations.kind is never 'incomes', did you mean "income"?
