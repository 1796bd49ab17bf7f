-- of: good/sales-1.sql
-   share:  { title: Доля, type: percent, total: "round(100.0 * sum(amount) / nullif(sum(cost), 0), 1)" }
+   share:  { title: Доля, type: percent, total: "sum(amount) filter (where day < :todya and now() > x) -- all" }
-- 7: load: columns.share.total: unknown placeholder :todya, did you mean ":today"?
-- 7: load: columns.share.total: now() reads the clock, expected :today, :as_of or :now
-- 7: load: columns.share.total: a comment or a semicolon, expected an aggregate alone
