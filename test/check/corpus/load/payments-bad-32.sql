-- of: good/payments-1.sql
-   expenses:        { title: Выплаты, type: money, total: sum(expenses) }
+   expenses:        { title: Выплаты, type: money }
-- 7: load: columns.expenses: no total, expected an aggregate or none
