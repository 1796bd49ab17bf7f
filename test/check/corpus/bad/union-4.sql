-- of: good/payments-1.sql
-     from operations
-     where operations.organization_id = :organization_id
+     from (
+ select operations.counterparty_id, operations.kind, operations.amount_kopecks, operations.paid_on, operations.status
+ from operations where operations.organization_id = :organization_id
+ union
+ select operations.counterparty_id, operations.kind, operations.amount_kopecks, operations.paid_on, operations.status -- expect: union
+ from operations where operations.organization_id = :organization_id
+ ) as operations
+     where true
