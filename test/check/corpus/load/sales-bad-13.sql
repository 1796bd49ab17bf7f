-- of: good/sales-1.sql
-   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   shop: { title: Магазин, type: text }
-- a column that is written twice
-- 8: load: key "shop" again, expected each key once
