-- of: good/new-deals-1.sql
-     deals.amount_kopecks as amount
+     deals.amount_kopecks / (deals.amount_kopecks - deals.amount_kopecks) as amount
-- 14: execution: division by zero
-- 19: integer-division: drops the fraction of integers
