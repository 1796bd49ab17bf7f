-- of: good/new-deals-1.sql
- order by deals.created_at, deals.id
+ order by created_on
-- 27: row-order: two rows tie:
