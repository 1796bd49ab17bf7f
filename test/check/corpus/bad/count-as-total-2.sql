-- of: good/payments-1.sql
-   income:          { title: Поступления, type: money, total: sum(income) }
+   income:          { title: Поступления, type: money, total: count(*) } # expect: count-as-total
