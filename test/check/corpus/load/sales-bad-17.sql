-- of: good/sales-1.sql
-   amount: { title: Сумма, type: money, total: sum(amount) }
+   amount: { title: Сумма, type: money, hidden: true }
-- a summary with a hidden column that has no total
-- 9: load: summary: {amount} has no total to print, expected a column that has one, or a fact
