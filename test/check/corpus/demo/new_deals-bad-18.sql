-- of: good/new-deals-1.sql
- order by deals.created_at, deals.id
+ order by deals.title
-- 27: row-order: two rows tie:
