-- of: good/new-deals-1.sql
- key: [deal_id]
+ key: [created_on]
-- a key that two rows have
-- 9: key: key: two rows have created_on
