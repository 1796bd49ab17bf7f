-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and set_config('a', 'b', true) = 'b'
-- 19: load: set_config() depends on the session or the server
