-- of: good/sales-1.sql
-   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   share:  { title: Доля, type: percent, total: "sum(amount)) from report; select (1" }
-- 7: load: columns.share.total: syntax error at or near ")" (column 12), expected
