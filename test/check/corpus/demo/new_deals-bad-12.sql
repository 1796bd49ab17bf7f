-- of: good/new-deals-1.sql
-     deals.amount_kopecks as amount
+     coalesce(lag(deals.amount_kopecks) over (order by deals.title, deals.id), 0) as amount
-- 19: collation: column "amount" depends on the database's collation
