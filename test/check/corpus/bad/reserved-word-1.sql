-- of: good/sales-1.sql
-   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   order: { title: Е, type: integer, total: none } # missed: reserved-word
- select shops.name as shop, sold.amount, sold.cost, round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
+ select shops.name as shop, sold.amount, sold.cost, 5 as "order", round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
