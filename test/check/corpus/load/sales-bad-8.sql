-- of: good/sales-1.sql
- with sold as (
+ explain with sold as (
-- 11: load: the statement "explain", expected a select
