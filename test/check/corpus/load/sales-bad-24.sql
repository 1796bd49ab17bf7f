-- of: good/sales-1.sql
- with sold as (
-     select
+ with a as (select 1 from sales tablesample system (5) where organization_id = :organization_id), sold as (select (select count(*) from a),
-- 11: load: tablesample returns different rows each time, expected all rows
