-- of: good/payments-1.sql
-   expenses:        { title: Выплаты, type: money, total: sum(expenses) }
+   expenses:        { title: Поступления, type: money, total: sum(expenses) } # missed: same-title
