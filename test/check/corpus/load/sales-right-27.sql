-- of: good/sales-1.sql
-       and sales.day < :period_end
+       and sales.day < :period_end and sales.name in ($$ it's :x $ $$, $tag$ :x $$ $other$ $tag$, U&'\0441 :x', 'back\', "a "" :x")
