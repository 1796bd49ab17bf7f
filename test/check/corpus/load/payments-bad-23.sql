-- of: good/payments-1.sql
- maxRows: 10000
+ summary: За {period} выплачено {expenses}.
-- 15: load: key "summary" again, expected each key once
