-- of: good/payments-1.sql
- maxRows: 10000
+ fresh: { open: 1h, closed: 6h }
+ stale: 10m # missed: stale-before-fresh
