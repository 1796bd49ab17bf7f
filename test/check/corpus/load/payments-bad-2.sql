-- of: good/payments-1.sql
- from paid
+ from (select * from paid order by paid.income desc, paid.counterparty_id) as paid
- order by paid.income desc, coalesce(counterparties.name, 'Без контрагента') collate "C", paid.counterparty_id
-- an order inside
-- 17: load: no order by at the top level
