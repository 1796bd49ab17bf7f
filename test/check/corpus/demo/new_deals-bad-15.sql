-- of: good/new-deals-1.sql
-     deals.amount_kopecks as amount
+     deals.amount_kopecks * 0.333 as amount
-- 8: value: expected money, a whole number of its smallest unit
