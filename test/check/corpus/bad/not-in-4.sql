-- of: good/payments-1.sql
-       and operations.status = 'posted'
+       and operations.id not in (select sales.counterparty_id from sales where sales.organization_id = :organization_id) -- expect: not-in
