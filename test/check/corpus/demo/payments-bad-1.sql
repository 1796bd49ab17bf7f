-- of: good/payments-1.sql
-     from operations
+     from operations
+ left join deals
+ on deals.organization_id = :organization_id and deals.counterparty_id = operations.counterparty_id
-- a join that multiplies rows
-- 24: fan-out: rows of deals repeat what "income" adds up or averages
