-- of: good/sales-1.sql
- from sold
+ from sold join (select x.shop_id, x.day from sold as x) as t (shop_id, day_at) on t.shop_id = sold.shop_id and t.day_at::date < :today
-- a local time that a list of columns names
