-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ facts: { best: { type: text, total: none } }
-- 9: load: facts.best.total: found none, expected an aggregate
