-- of: good/sales-1.sql
- key: [shop]
+ key: [shop]
+ emptySummary: За {perid} пусто.
-- 9: load: emptySummary: unknown {perid}, did you mean "period"?
