-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.note <> 'postgres://reports:secret@replica/product' -- expect: secret
