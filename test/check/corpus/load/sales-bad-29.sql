-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ maxLag: 1s
-- 9: load: maxLag: found 1s, expected at least 2s
