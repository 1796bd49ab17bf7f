-- of: good/payments-1.sql
-   operations:      { title: Операций, type: integer, total: sum(operations) }
+ 	operations:      { title: Операций, type: integer, total: sum(operations) }
-- a tab
-- 5: load: a tab in YAML, expected spaces as indentation
