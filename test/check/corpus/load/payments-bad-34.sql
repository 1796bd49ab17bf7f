-- of: good/payments-1.sql
- order by paid.income desc, coalesce(counterparties.name, 'Без контрагента') collate "C", paid.counterparty_id
+ order by paid.counterparty_id; select count(*) from operations
-- 42: load: a second statement, expected one in a file
