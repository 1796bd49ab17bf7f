-- of: good/payments-1.sql
-   income:          { title: Поступления, type: money, total: sum(income) }
+   income:          { type: money, total: sum(income) }
-- 6: load: columns.income: no key "title", expected a title
