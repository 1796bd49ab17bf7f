-- of: good/payments-1.sql
- maxRows: 10000
+ budget: { buffersPerThousandRows: 0.5 }
-- 15: budget: buffers per thousand rows
