-- of: good/payments-1.sql
-   expenses:        { title: Выплаты, type: money, total: sum(expenses) }
+   expenses:        { title: Выплаты, type: money, total: sum(expense) }
-- 7: prepare: column "expense" does not exist
