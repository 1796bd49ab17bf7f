-- of: good/sales-1.sql
- summary: За {period} продано на {amount}.
+ summary: {period} за {period} продано на {amount}.
-- a summary that YAML cannot read
-- 9: load: YAML:
