-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ fresh: 60s
-- 9: load: fresh: found "60s", expected durations, such as { open: 60s, closed: 1h }
