-- of: good/payments-1.sql
-   income:          { title: Поступления, type: money, total: sum(income) }
+   income:          { title: Поступления, type: mony, total: sum(income) }
-- 6: load: columns.income.type: found "mony", expected a type: text, date, month, datetime, integer, number, percent, money; did you mean "money"?
