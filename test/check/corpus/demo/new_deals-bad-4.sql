-- of: good/new-deals-1.sql
- key: [deal_id]
+ key: [deal_id, manager]
-- a key that is null
-- 9: key: expected a value in every row
