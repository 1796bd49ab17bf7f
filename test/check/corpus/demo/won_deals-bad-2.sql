-- of: good/won-deals-1.sql
- from ended
+ from ended cross join (values (1), (2)) as twice (times)
-- two rows
-- 7: one-row: expected one row of metrics
