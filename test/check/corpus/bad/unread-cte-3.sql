-- of: good/payments-1.sql
- with paid as (
+ with planned as (select count(*) as rows from operations where operations.organization_id = :organization_id), -- missed: unread-cte
+ paid as (
