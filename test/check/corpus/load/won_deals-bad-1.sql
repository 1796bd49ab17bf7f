-- of: good/won-deals-1.sql
-   sales_won:    { title: Выиграно сделок, format: integer }
+   Sales_won:    { title: Выиграно сделок, format: integer }
-     ended.won as sales_won,
+     ended.won as "Sales_won",
-- a code that is not a name
-- 3: load: metrics.Sales_won: bad code "Sales_won", expected a-z, 0-9 and _, at most 63, no digit first
