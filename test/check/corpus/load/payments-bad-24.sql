-- of: good/payments-1.sql
- maxRows: 10000
+ timeout: 5m
-- 15: load: timeout: found 5m, expected more than 0 and at most 45s
