-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.data ? 'a' and sales.data ?| array['b'] and sales.data::jsonb @? '$.a'
