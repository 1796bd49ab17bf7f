-- of: good/sales-1.sql
- key: [shop]
+ key: shop
-- 8: load: key: found "shop", expected a list of column keys, each once, such as [customer_id]
