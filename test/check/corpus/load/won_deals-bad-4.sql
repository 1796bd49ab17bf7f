-- of: good/won-deals-1.sql
-   sales_share:  { title: Доля выигранных, format: percent }
+   sales_share:  { title: Доля выигранных, format: percent }
+ timeout: 0s
-- metrics with no time
-- 6: load: timeout: found 0s, expected more than 0 and at most 45s
