-- of: good/payments-1.sql
- with paid as (
+ with changed as (update deals set title = title where organization_id = :organization_id returning id),
+ paid as (
- from paid
+ from paid cross join changed
-- a write
-- 17: load: update writes, expected a statement that only reads
