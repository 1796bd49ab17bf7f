-- of: good/sales-1.sql
-   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   _month: { title: А, type: integer, total: none }
+   _organization: { title: Б, type: integer, total: none }
+   ctid: { title: В, type: integer, total: none }
+   xmax: { title: Г, type: integer, total: none }
- select shops.name as shop, sold.amount, sold.cost, round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
+ select shops.name as shop, sold.amount, sold.cost, 1 as _month, 2 as _organization, 3 as ctid, 4 as xmax, round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
-- columns that loaders' tables cannot have
-- 8: load: columns._month: loaders add "_month" to the columns of a report, expected another name
-- 9: load: columns._organization: loaders add "_organization" to the columns of a report, expected another name
-- 10: load: columns.ctid: no table can have "ctid", a system column of PostgreSQL; expected another name
-- 11: load: columns.xmax: no table can have "xmax"
