-- of: good/new-deals-1.sql
-     deals.amount_kopecks as amount
+     deals.amount_kopeck as amount
-- 19: prepare: column deals.amount_kopeck does not exist
