-- of: good/sales-1.sql
-   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   Shop: { title: А, type: money, total: none }
+   pages: { title: В, type: integer, total: none }
+   next_day: { title: Б, type: integer, total: none }
+   row_count: { title: Г, type: integer, total: none }
+   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: { title: Д, type: integer, total: none }
- select shops.name as shop, sold.amount, sold.cost, round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
+ select shops.name as shop, sold.amount, sold.cost, 1 as "Shop", 2 as pages, 3 as next_day, 3 as row_count,
+ 4 as xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, round(100.0 * sold.amount / nullif(sold.cost, 0), 1) as share
-- names that PostgreSQL or loaders take for something else
-- 8: load: columns.Shop: bad name "Shop", expected a-z, 0-9 and _, at most 63, no digit first
-- 9: load: columns.pages: loaders take "pages" for paging, expected a name other than next..., pages and _end
-- 10: load: columns.next_day: loaders take "next_day" for paging
-- 11: load: columns.row_count: "row_count" belongs to the totals row, expected another name
-- 12: load: bad name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", expected a-z, 0-9 and _, at most 63
