-- of: good/new-deals-1.sql
-     deals.amount_kopecks as amount
+     coalesce(lag(deals.amount_kopecks) over (order by deals.created_at), 0) as amount
-- 19: row-order: column "amount" depends on the physical row order
