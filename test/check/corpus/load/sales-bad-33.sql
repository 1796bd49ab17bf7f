-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ facts: { best: { type: text } }
-- 9: load: facts.best: no total, expected an aggregate
