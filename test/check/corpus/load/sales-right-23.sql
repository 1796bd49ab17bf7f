-- of: good/sales-1.sql
- order by sold.amount desc, sold.shop_id
+ order by sold.amount desc, sold.shop_id; -- done
-- a statement that ends in a semicolon and a comment
