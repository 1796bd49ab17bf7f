-- of: good/won-deals-1.sql
-   sales_amount: { title: Сумма выигранных сделок, format: money }
+   sales_amount: { title: Сумма выигранных сделок, format: rubles }
-- an unknown format
-- 4: load: metrics.sales_amount.format: found "rubles", expected a format: money, percent, integer, number, days, hours
