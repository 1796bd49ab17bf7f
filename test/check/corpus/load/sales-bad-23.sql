-- of: good/sales-1.sql
- with sold as (
-     select
+ with a as (select 1 from sales where organization_id = :organization_id for no key update of sales), sold as (select (select count(*) from a),
-- 11: load: for no key update locks rows, expected a statement that only reads
