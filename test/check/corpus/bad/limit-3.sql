-- of: good/payments-1.sql
- order by paid.income desc, coalesce(counterparties.name, 'Без контрагента') collate "C", paid.counterparty_id
+ order by paid.income desc, paid.counterparty_id limit 100 -- expect: limit
