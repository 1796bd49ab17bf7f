-- of: good/sales-1.sql
- key: [shop]
+ key: *shop
-- 8: load: YAML: unidentified alias "shop"
