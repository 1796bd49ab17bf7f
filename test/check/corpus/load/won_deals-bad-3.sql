-- of: good/won-deals-1.sql
-   sales_amount: { title: Сумма выигранных сделок, format: money }
+   sales_amount: { title: Сумма выигранных сделок, fromat: money }
-- a misspelt key of a metric
-- 4: load: metrics.sales_amount: unknown key "fromat", did you mean "format"?
