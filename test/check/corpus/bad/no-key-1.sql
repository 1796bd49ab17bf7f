-- of: good/payments-1.sql
- key: [counterparty_id]
+ # no key
-- expect: no-key
