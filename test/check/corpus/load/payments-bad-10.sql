-- of: good/payments-1.sql
- ---*/
+ --*/
-- the front matter is not closed
-- 1: load: front matter is not closed
