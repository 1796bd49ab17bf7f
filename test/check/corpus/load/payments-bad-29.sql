-- of: good/payments-1.sql
- key: [counterparty_id]
+ key: [counterpart]
-- 10: load: key: no column "counterpart", did you mean "counterparty"?
