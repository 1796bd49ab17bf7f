-- of: good/sales-1.sql
- order by sold.amount desc, sold.shop_id
+ where array_agg(sold.cost order by sold.cost) is null and rank() over (order by sold.cost) = 1
-- orders only in a call and a window
-- 11: load: no order by at the top level, expected one that ends in a unique key
