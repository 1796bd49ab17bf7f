-- of: good/payments-1.sql
-   share:           { title: Доля поступлений, type: percent, total: "round(100.0 * sum(income) / nullif(sum(income) + sum(expenses), 0), 1)" }
+   share:           { title: Доля поступлений, type: percent, total: "avg(share)" } # expect: percent-total
