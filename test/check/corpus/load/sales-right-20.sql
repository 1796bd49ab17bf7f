-- of: good/sales-1.sql
-   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   share:  { title: Доля, type: percent, total: "numeric '100' * sum(amount) / nullif(sum(cost), 0)" }
