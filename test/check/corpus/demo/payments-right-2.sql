-- of: good/payments-1.sql
-       and operations.status = 'posted'
+       and operations.category_id in (select categories.id from categories where categories.section = 'operating')
