-- of: good/payments-1.sql
-       and operations.status = 'posted'
+       and operations.project_id = null -- expect: null-comparison
