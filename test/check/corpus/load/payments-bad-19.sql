-- of: good/payments-1.sql
-       and operations.status = 'posted'
+       and current_user <> ''
-- 27: load: current_user depends on the session or the server
