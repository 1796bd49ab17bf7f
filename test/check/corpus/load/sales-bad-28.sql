-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ timeout: 5
-- 9: load: timeout: found 5, expected a duration such as 5s, 10m or 24h
