-- of: good/payments-1.sql
- order by paid.income desc, coalesce(counterparties.name, 'Без контрагента') collate "C", paid.counterparty_id
+ order by (
+ select max(operations.ctid) from operations
+ where operations.organization_id = :organization_id and operations.counterparty_id = paid.counterparty_id), coalesce(counterparties.name, 'Без контрагента') collate "C", paid.counterparty_id
-- an order of storage
-- 43: load: ctid depends on where a row is stored
