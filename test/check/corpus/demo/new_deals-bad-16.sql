-- of: good/new-deals-1.sql
- order by deals.created_at, deals.id
+ order by deals.title, deals.id
-- 27: collation: depends on the database's collation
