-- of: good/payments-1.sql
-   expenses:        { title: Выплаты, type: money, total: sum(expenses) }
+   expenses:        { title: Выплаты, type: money, total: sum(expenses) }
+   average: { title: Средняя операция, type: money, total: sum(average) } # expect: sum-of-ratios
-         count(*) as operations,
+         count(*) as operations, round(avg(operations.amount_kopecks)) as average,
-     paid.expenses,
+ paid.expenses, paid.average,
