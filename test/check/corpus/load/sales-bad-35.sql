-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ facts: { shop: { type: text, total: max(shop) } }
-- 9: load: facts.shop: there is a column "shop", expected another name
