-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ owner: finance
-- 9: load: unknown key "owner", expected one of title, description, dateBasis, keywords, position, columns, key, chart, link, facts, summary, emptySummary, deprecated, parameters, shared, fresh, stale, maxLag, timeout, budget, maxRows
