-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ facts: { as_of: { type: text, total: max(shop) } }
-- 9: load: facts.as_of: every summary has a "as_of", expected another name
