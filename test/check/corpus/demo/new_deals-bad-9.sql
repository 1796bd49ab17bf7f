-- of: good/new-deals-1.sql
- maxRows: 200000
+ maxRows: 5
-- more rows than maxRows
-- 12: max-rows: expected at most maxRows, 5
